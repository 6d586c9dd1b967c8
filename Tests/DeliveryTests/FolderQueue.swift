// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockConcurrency
public import PenstockCore
import Synchronization

// The page “An engine of your own” quotes everything below; a test compares the two.

/// A queue in a folder: each message is a file, which waits in one folder, and is in another one while a worker has it.
///
/// The time of a file says when it is due, and its name when it was published and which attempt is next.
public struct FolderQueue: Sendable {
  private struct Message: Codable {
    var payload: Data
    var headers: [String: String]
  }

  private static let published = Atomic(0)
  fileprivate let folder: URL
  fileprivate let deadline: Duration

  public init(_ folder: URL, deadline: Duration = .seconds(30)) throws {
    (self.folder, self.deadline) = (folder, deadline)
    for name in ["ready", "taken"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
  }

  public func publish(_ payload: [UInt8], headers: [String: String] = [:]) throws {
    let number = Self.published.add(1, ordering: .relaxed).newValue
    let name = String(format: "%016ld-%08ld.1", Int(Date.now.timeIntervalSince1970 * 1e6), number)
    // Written elsewhere first, since nobody may take half a message.
    let draft = folder.appending(path: name)
    try JSONEncoder().encode(Message(payload: Data(payload), headers: headers)).write(to: draft)
    try FileManager.default.moveItem(at: draft, to: folder.appending(path: "ready/\(name)"))
  }

  public func deliveries(
    batch: ClosedRange<Int> = 1...16, refillAt lowMark: Int? = nil
  ) -> some Publisher<FolderDelivery, any Error> & Sendable {
    Publishers.fetching(batch: batch, refillAt: lowMark, onDrop: { $0.drop() }) { count async throws(any Error) in
      // A service would wait for messages itself, and a folder has to be looked at. An empty array means: ask again.
      let taken = try take(count)
      if taken.isEmpty { try? await ContinuousClock().sleep(for: .milliseconds(5)) }
      return taken
    }
  }

  public func count(in name: String) throws -> Int { try names(in: name).count }

  private func take(_ count: Int) throws -> [FolderDelivery] {
    // Messages of workers that have died, or are too slow, come again as another attempt.
    for name in try names(in: "taken") where isDue(name, in: "taken", after: deadline) {
      move(name, from: "taken", to: "ready", as: FolderDelivery.next(name))
    }
    var taken: [FolderDelivery] = []
    for name in try names(in: "ready") where taken.count < count && isDue(name, in: "ready") {
      // Only one of several workers moves the file; its time is set before, so that it has not expired already.
      touch(name, in: "ready")
      guard move(name, from: "ready", to: "taken", as: name) else { continue }
      let data = try Data(contentsOf: folder.appending(path: "taken/\(name)"))
      let message = try JSONDecoder().decode(Message.self, from: data)
      taken.append(FolderDelivery(self, name, Array(message.payload), message.headers))
    }
    return taken
  }

  private func names(in place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: place).path).sorted()
  }

  private func isDue(_ name: String, in place: String, after delay: Duration = .zero) -> Bool {
    let file = folder.appending(path: "\(place)/\(name)").path
    let date = try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    return date.map { $0 + (delay / .seconds(1)) <= .now } ?? false
  }

  @discardableResult
  fileprivate func touch(_ name: String, in place: String, after delay: Duration = .zero) -> Bool {
    let file = folder.appending(path: "\(place)/\(name)").path
    let date = Date.now + (delay / .seconds(1))
    return (try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)) != nil
  }

  @discardableResult
  fileprivate func move(_ name: String, from place: String, to other: String, as newName: String) -> Bool {
    let (old, new) = (folder.appending(path: "\(place)/\(name)"), folder.appending(path: "\(other)/\(newName)"))
    return (try? FileManager.default.moveItem(at: old, to: new)) != nil
  }
}

/// A message that a worker has, until it is settled or its deadline has passed.
public struct FolderDelivery: Delivery {
  /// Whether one of its copies has settled it.
  private final class Settled: Sendable { let value = Mutex(false) }

  public let payload: [UInt8]
  public let headers: [String: String]
  public let attempt: Int
  public let age: Duration
  private let queue: FolderQueue
  private let name: String
  private let settled = Settled()

  fileprivate init(_ queue: FolderQueue, _ name: String, _ payload: [UInt8], _ headers: [String: String]) {
    (self.queue, self.name, self.payload, self.headers) = (queue, name, payload, headers)
    attempt = Int(name.split(separator: ".").last ?? "") ?? 1
    let published = Double(name.prefix(16)) ?? 0
    age = .microseconds(Int64(max(0, Date.now.timeIntervalSince1970 * 1e6 - published)))
  }

  public var subject: String { queue.folder.lastPathComponent }
  public var messageID: String? { String(name.prefix(25)) }
  public var deadline: Duration? { queue.deadline }

  public func ack() async throws(DeliveryError) {
    try settle { (try? FileManager.default.removeItem(at: queue.folder.appending(path: "taken/\(name)"))) != nil }
  }

  public func terminate() async throws(DeliveryError) { try await ack() }

  public func nak(after delay: Duration?) async throws(DeliveryError) {
    try settle {
      queue.touch(name, in: "taken", after: delay ?? .zero)
        && queue.move(name, from: "taken", to: "ready", as: Self.next(name))
    }
  }

  public func giveBack() async throws(DeliveryError) {
    try settle { queue.touch(name, in: "taken") && queue.move(name, from: "taken", to: "ready", as: name) }
  }

  public func extend() async throws(DeliveryError) {
    if settled.value.withLock({ $0 }) { throw DeliveryError(.settled, "It has been settled before.") }
    if !queue.touch(name, in: "taken") { throw DeliveryError(.expired, "Another worker has it by now.") }
  }

  fileprivate func drop() { try? settle { queue.move(name, from: "taken", to: "ready", as: name) } }

  private func settle(_ body: () -> Bool) throws(DeliveryError) {
    if settled.value.withLock({ exchange(&$0, with: true) }) {
      throw DeliveryError(.settled, "It has been settled before: settle it once.")
    }
    if body() { return }
    settled.value.withLock { $0 = false }
    throw DeliveryError(.expired, "Its deadline has passed, and another worker has it by now: call extend() in time.")
  }

  /// Returns the name that the file of a message has for its next attempt.
  fileprivate static func next(_ name: String) -> String {
    let parts = name.split(separator: ".")
    return "\(parts[0]).\((Int(parts[1]) ?? 1) + 1)"
  }
}
