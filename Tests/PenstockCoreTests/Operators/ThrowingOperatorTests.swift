// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The operators whose closure or coder may throw.
enum ThrowingOperator: CaseIterable {
  case map, scan, filter, compactMap, removeDuplicates, drop, prefix, encode, decode

  /// A line with the operator, whose closure first calls another one.
  func line(subscribed: Bool = true, _ judge: @escaping (Int) throws -> Void) -> Line {
    switch self {
    case .map: line(subscribed) { $0.tryMap { try judge($0) } }
    case .scan:
      line(subscribed) {
        $0.tryScan(0) {
          try judge($1); return $1
        }
      }
    case .filter:
      line(subscribed) {
        $0.tryFilter {
          try judge($0); return true
        }
      }
    case .compactMap:
      line(subscribed) {
        $0.tryCompactMap {
          try judge($0); return $0
        }
      }
    case .removeDuplicates:
      line(subscribed) {
        $0.tryRemoveDuplicates {
          try judge($1); return false
        }
      }
    case .drop:
      line(subscribed) {
        $0.tryDrop {
          try judge($0); return true
        }
      }
    case .prefix:
      line(subscribed) {
        $0.tryPrefix {
          try judge($0); return true
        }
      }
    case .encode: line(subscribed) { $0.encode(encoder: JudgingCoder(judge: judge)) }
    case .decode: line(subscribed) { $0.decode(type: Int.self, decoder: JudgingCoder(judge: judge)) }
    }
  }

  private func line<P: Publisher>(_ subscribed: Bool, _ make: (Line.Upstream<TestError>) -> P) -> Line {
    Line(subscribed: subscribed, demand: .unlimited, make)
  }

  private struct JudgingCoder: TopLevelEncoder, TopLevelDecoder {
    let judge: (Int) throws -> Void

    func encode<T: Encodable>(_ value: T) throws -> Int {
      let number = value as! Int
      try judge(number)
      return number
    }

    func decode<T: Decodable>(_ type: T.Type, from number: Int) throws -> T {
      try judge(number)
      return number as! T
    }
  }
}

@Suite struct ThrowingOperatorTests {
  @Test(arguments: ThrowingOperator.allCases)
  func `What is thrown cancels upstream first, and then fails the stream`(_ kind: ThrowingOperator) {
    let line = kind.line { if $0 == 3 { throw TestError.oops } }
    var log: [String] = []
    line.subscription.onCancel = { log.append("cancel") }
    line.onEnd = { log.append("end") }
    line.onValue = { .max(5) }
    line.send(2)
    #expect(line.send(3) == .none)
    #expect(log == ["cancel", "end"])
    #expect(line.ends == ["failure(oops)"])
    #expect(line.values.count == (kind == .drop ? 0 : 1))
  }

  @Test(arguments: ThrowingOperator.allCases)
  func `After that nothing goes up, and there is no second end`(_ kind: ThrowingOperator) {
    let line = kind.line { if $0 == 3 { throw TestError.oops } }
    line.send(2)
    line.send(3)
    line.request(.max(1))
    line.cancel()
    line.finish()
    line.send(3)
    #expect(line.subscription.calls == [.requested(.unlimited), .cancelled])
    #expect(line.ends == ["failure(oops)"])
  }

  @Test(arguments: ThrowingOperator.allCases)
  func `No value follows what was thrown, and no second failure`(_ kind: ThrowingOperator) {
    let line = kind.line { if $0 == 3 { throw TestError.oops } }
    line.send(2)
    line.send(3)
    let events = line.events
    #expect(line.send(4) == .none)
    line.fail()
    #expect(line.events == events)
  }

  @Test(arguments: ThrowingOperator.allCases)
  func `A closure that cancels before it throws fails nothing`(_ kind: ThrowingOperator) {
    var cancel = {}
    let line = kind.line { number in
      guard number == 3 else { return }
      cancel()
      throw TestError.oops
    }
    cancel = { [unowned line] in line.cancel() }
    line.send(2)
    #expect(line.send(3) == .none)
    #expect(line.subscription.calls == [.requested(.unlimited), .cancelled])
    #expect(line.ends.isEmpty)
  }

  @Test(arguments: ThrowingOperator.allCases)
  func `The stream is gone after it`(_ kind: ThrowingOperator) {
    var graveyard = Graveyard()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      let line = kind.line { number in
        withExtendedLifetime(canary) {}
        if number == 3 { throw TestError.oops }
      }
      _ = graveyard.watch(line.subscription, "upstream's subscription")
      _ = graveyard.watch(line.downstream, "downstream")
      line.send(2)
      line.send(3)
      line.release()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  /// A coder may also throw at a value before the subscription; table 12.6 of the behaviour specifies only for coders
  /// that this is a failure.
  @Test(arguments: [ThrowingOperator.encode, .decode])
  func `A coder that throws before the subscription fails the stream`(_ kind: ThrowingOperator) {
    let line = kind.line(subscribed: false) { _ in throw TestError.oops }
    #expect(line.send(2) == .none)
    #expect(line.events == ["failure(oops)"])
    #expect(line.send(2) == .none)
    line.finish()
    #expect(line.events == ["failure(oops)"])
    line.subscribe()
    #expect(line.subscription.calls == [.cancelled])
  }

  @Test func `The error is the one that was thrown, and upstream's failure its own`() {
    let (thrown, forwarded) = (Recorder<Int, any Error>(), Recorder<Int, any Error>())
    let publisher = ManualPublisher<Int, TestError>()
    publisher.tryMap { _ -> Int in throw TestError("thrown") }.subscribe(thrown)
    publisher.send(1)
    publisher.tryMap { $0 }.subscribe(forwarded)
    publisher.send(completion: .failure(.oops))
    #expect(failure(of: thrown) as? TestError == TestError("thrown"))
    #expect(failure(of: forwarded) as? TestError == .oops)
  }

  private func failure(of recorder: Recorder<Int, any Error>) -> (any Error)? {
    if case .failure(let error) = recorder.completions.last { error } else { nil }
  }
}
