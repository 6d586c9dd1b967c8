// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import Scenarios
import Testing

/// A source of lines that a test provides: it counts how often it is closed.
final class Script: LineSource, @unchecked Sendable {
  private let lock = NSLock()
  private var position = 0
  private var closes = 0
  private let line: (Int) throws -> String?

  /// - Parameter line: Returns the line with a number, counted from 0.
  init(_ line: @escaping (Int) throws -> String?) { self.line = line }

  convenience init(count: Int) { self.init { $0 < count ? String($0) : nil } }

  var timesClosed: Int { lock.withLock { closes } }
  var linesRead: Int { lock.withLock { position } }

  func nextLine() throws -> String? {
    let number = lock.withLock {
      defer { position += 1 }
      return position
    }
    return try line(number)
  }

  func close() { lock.withLock { closes += 1 } }
}

/// A publisher that opens something, reads from it slowly, and may fail: written by hand, and composed.
@Suite struct LinesTests {
  private struct Unreadable: Error {}

  enum Writing: CaseIterable {
    case byHand, composed

    func publisher(_ open: @escaping () throws -> any LineSource) -> AnyPublisher<String, any Error> {
      switch self {
      case .byHand: Lines(of: open).eraseToAnyPublisher()
      case .composed: lines(of: open).eraseToAnyPublisher()
      }
    }
  }

  @Test(arguments: Writing.allCases)
  func `Each subscriber opens a source of its own, and a line is read when it is requested`(_ writing: Writing) {
    var scripts: [Script] = []
    let publisher = writing.publisher {
      scripts.append(Script(count: 3))
      return scripts[scripts.count - 1]
    }
    let (first, second) = (StreamWitness(), StreamWitness())
    publisher.subscribe(first)
    publisher.subscribe(second)
    #expect(scripts.map(\.linesRead) == [0, 0])
    first.request(.max(2))
    #expect(scripts.map(\.linesRead) == [2, 0])
    #expect(first.values == ["0", "1"])
  }

  @Test(arguments: Writing.allCases)
  func `The end is found at the request after the last line, and closes the source first`(_ writing: Writing) {
    let (script, witness) = (Script(count: 2), StreamWitness())
    var closedAtCompletion: Int?
    witness.onCompletion = { closedAtCompletion = script.timesClosed }
    writing.publisher { script }.subscribe(witness)
    witness.request(.max(2))
    #expect(witness.completions == 0)
    #expect(script.timesClosed == 0)
    witness.request(.max(1))
    #expect(witness.completions == 1)
    #expect(!witness.hasFailed)
    #expect(closedAtCompletion == 1)
    witness.subscription?.cancel()
    #expect(script.timesClosed == 1)
  }

  @Test(arguments: Writing.allCases)
  func `A source that cannot be opened is a failure without a request`(_ writing: Writing) {
    let witness = StreamWitness()
    writing.publisher { throw Unreadable() }.subscribe(witness)
    #expect(witness.subscription != nil)
    #expect(witness.hasFailed)
    #expect(witness.completions == 1)
  }

  @Test(arguments: Writing.allCases)
  func `A line that cannot be read is a failure after the lines before it, and closes the source first`(
    _ writing: Writing
  ) {
    let witness = StreamWitness()
    let script = Script { if $0 == 2 { throw Unreadable() } else { String($0) } }
    var closedAtCompletion: Int?
    witness.onCompletion = { closedAtCompletion = script.timesClosed }
    writing.publisher { script }.subscribe(witness)
    witness.request(.unlimited)
    #expect(witness.values == ["0", "1"])
    #expect(witness.hasFailed)
    #expect(witness.completions == 1)
    #expect(closedAtCompletion == 1)
    #expect(script.linesRead == 3)
  }

  @Test(arguments: Writing.allCases, 0...3)
  func `A cancel closes the source once`(_ writing: Writing, position: Int) {
    let (script, witness) = (Script(count: 9), StreamWitness())
    witness.onValue = { _ in
      if witness.values.count == position { witness.subscription?.cancel() }
      return .none
    }
    writing.publisher { script }.subscribe(witness)
    if position == 0 { witness.subscription?.cancel() }
    witness.request(.unlimited)
    witness.subscription?.cancel()
    #expect(script.timesClosed == 1)
    #expect(script.linesRead == position)
  }

  @Test(arguments: Writing.allCases)
  func `What is cancelled between reading a line and delivering it is not delivered`(_ writing: Writing) {
    let witness = StreamWitness()
    let script = Script { number in
      if number == 1 { elsewhere { witness.subscription?.cancel() } }
      return String(number)
    }
    writing.publisher { script }.subscribe(witness)
    witness.request(.unlimited)
    #expect(witness.values == ["0"])
    #expect(witness.completions == 0)
    #expect(script.timesClosed == 1)
    #expect(script.linesRead == 2)
  }

  @Test(arguments: Writing.allCases)
  func `Neither a request nor a cancel waits for a line that is being read`(_ writing: Writing) {
    let witness = StreamWitness()
    let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let script = Script { number in
      isReading.signal()
      mayGoOn.wait()
      return String(number)
    }
    writing.publisher { script }.subscribe(witness)
    let reading = Started { witness.request(.max(1)) }
    isReading.wait()
    elsewhere { witness.request(.max(1)) }
    elsewhere { witness.subscription?.cancel() }
    #expect(script.timesClosed == 1)
    mayGoOn.signal()
    reading.join()
    #expect(witness.values.isEmpty)
    #expect(script.linesRead == 1)
  }

  @Test func `A subscription that is released without a cancel closes the source`() {
    let script = Script(count: 9)
    Lines { script }.subscribe(AnySubscriber<String, any Error>(receiveSubscription: { _ in }))
    #expect(script.timesClosed == 1)
  }

  @Test(
    arguments: [
      ("", []), ("one", ["one"]), ("one\ntwo\n", ["one", "two"]), ("\n\nlast", ["", "", "last"]),
      ("wåter\n", ["wåter"]),
    ] as [(String, [String])])
  func `A file is read line by line`(_ content: String, expected: [String]) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "penstock-lines-\(UUID())")
    try Data(content.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let witness = StreamWitness()
    witness.onSubscription = { $0.request(.unlimited) }
    Lines { try TextFile(path: file.path) }.subscribe(witness)
    #expect(witness.values == expected)
    #expect(witness.completions == 1)
    #expect(!witness.hasFailed)
  }

  @Test func `A file that is missing, or is no text, is a failure`() throws {
    #expect(throws: CocoaError.self) { try TextFile(path: "/nonexistent/file") }
    let file = FileManager.default.temporaryDirectory.appending(path: "penstock-lines-\(UUID())")
    try Data([0x61, 0x0A, 0xFF, 0x0A]).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let text = try TextFile(path: file.path)
    #expect(try text.nextLine() == "a")
    #expect(throws: CocoaError.self) { try text.nextLine() }
    text.close()
    #expect(try text.nextLine() == nil)
  }
}
