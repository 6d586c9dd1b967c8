// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: S-11 – while a record is being delivered, `cancel` leaves the open file to the delivering loop, which closes
// it only at the end of the file. Shows when the subscriber cancels inside a value (or another thread does while a
// value is under way): the file stays open. Cancelled at rest, in the handshake, or read to the end it is closed.
struct RecordFile: Publisher {
  typealias Output = Int
  enum Failure: Error, Equatable { case missing }

  // The files, and how many of them are open.
  final class Cabinet {
    private let lock = NSLock()
    private let files: [String: [Int]]
    private var open = 0

    init(files: [String: [Int]]) { self.files = files }

    var openFiles: Int { lock.withLock { open } }

    fileprivate func openFile(_ name: String) -> ArraySlice<Int>? {
      guard let records = files[name] else { return nil }
      lock.withLock { open += 1 }
      return records[...]
    }
    fileprivate func closeFile() { lock.withLock { open -= 1 } }
  }

  let cabinet: Cabinet
  let name: String

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let reader = Reader(subscriber, cabinet, name)
    subscriber.receive(subscription: reader)
    reader.begin()
  }

  private final class Reader<Downstream: Subscriber>: Subscription
  where Downstream.Input == Int, Downstream.Failure == RecordFile.Failure {
    private enum Step { case record(Downstream, Int), end(Downstream, wasOpen: Bool) }

    private let lock = NSLock()
    private let cabinet: Cabinet
    private var downstream: Downstream?
    private var file: ArraySlice<Int>?  // nil when there is none, or it has been closed
    private var demand = Subscribers.Demand.none
    private var isReading = true  // the handshake counts

    init(_ downstream: Downstream, _ cabinet: Cabinet, _ name: String) {
      self.downstream = downstream
      self.cabinet = cabinet
      file = cabinet.openFile(name)
    }

    func request(_ more: Subscribers.Demand) {
      let isMine = lock.withLock { () -> Bool in
        guard downstream != nil, more > 0 else { return false }
        demand += more
        defer { isReading = true }
        return !isReading
      }
      if isMine { read() }
    }

    func cancel() {
      let (_, isIdle) = lock.withLock { () -> (Downstream?, Bool) in
        defer { downstream = nil }
        return (downstream, !isReading)  // in use, the loop closes it
      }
      if isIdle { close() }
    }

    func begin() {
      if lock.withLock({ downstream == nil }) { close() }
      read()
    }

    private func close() {
      let wasOpen = lock.withLock { () -> Bool in
        defer { file = nil }
        return file != nil
      }
      if wasOpen { cabinet.closeFile() }
    }

    private func read() {
      while let step = lock.withLock({ next() }) {
        switch step {
        case .record(let downstream, let record):
          let more = downstream.receive(record)
          lock.withLock { demand += more }
        case .end(let downstream, let wasOpen):
          close()
          downstream.receive(completion: wasOpen ? .finished : .failure(.missing))
        }
      }
    }

    private func next() -> Step? {
      if let downstream, file?.isEmpty ?? true {
        self.downstream = nil
        return .end(downstream, wasOpen: file != nil)
      }
      guard let downstream, demand > 0 else {
        isReading = false
        return nil
      }
      demand -= 1
      return .record(downstream, file!.removeFirst())
    }
  }
}
