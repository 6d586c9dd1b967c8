// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import TestSupport
import Testing

/// Several threads, while the values of a fused publisher are delivered.
@Suite struct FusionThreadTests {
  private typealias Subject = PassthroughSubject<Int, TestError>
  private typealias Numbers = Publishers.Sequence<[Int], TestError>

  enum Kind: CaseIterable, Sendable {
    case every, latest
  }

  private static func flatten<Inner: Publisher<Int, TestError>>(
    _ outer: Subject, _ kind: Kind, into recorder: Recorder<Int, TestError>, _ inner: @escaping (Int) -> Inner
  ) {
    switch kind {
    case .every: outer.flatMap(inner).subscribe(recorder)
    case .latest: outer.map(inner).switchToLatest().subscribe(recorder)
    }
  }

  @Test func `A value that another thread sends comes next, and not after the whole sequence`() {
    let (outer, other) = (Subject(), Subject())
    let recorder = Recorder<Int, TestError>()
    outer.flatMap { number in
      number == 0 ? Either<Numbers>.subject(other) : .publisher(Numbers(sequence: Array(1...1_000)))
    }.subscribe(recorder)
    recorder.onValue = { value in
      if value == 10 || value == 500 { elsewhere { other.send(-value) } }
      return .none
    }
    outer.send(0)
    outer.send(1)
    #expect(recorder.values == [Array(1...10), [-10], Array(11...500), [-500], Array(501...1_000)].flatMap(\.self))
    #expect(recorder.isSerial)
    #expect(recorder.complaints.isEmpty)
  }

  /// While the first thread delivers, the second one sends a sequence, and then something else.
  private static func values(
    _ kind: Kind, sending more: @escaping @Sendable (_ outer: PassthroughSubject<Int, TestError>) -> Void
  ) -> [Event<Int, TestError>] {
    let (outer, other) = (Subject(), Subject())
    let recorder = Recorder<Int, TestError>()
    flatten(outer, kind, into: recorder) { number in
      number == 0 ? Either<Numbers>.subject(other) : .publisher(Numbers(sequence: [number, number + 1, number + 2]))
    }
    recorder.onValue = { value in
      if value == -1 { elsewhere { more(outer) } }
      return .none
    }
    outer.send(0)
    other.send(-1)
    #expect(recorder.isSerial)
    #expect(recorder.complaints.isEmpty)
    return Array(recorder.events.dropFirst(2))
  }

  @Test(arguments: Kind.allCases)
  func `A sequence that is sent while another thread delivers is delivered afterwards`(_ kind: Kind) {
    #expect(Self.values(kind) { $0.send(10) } == [.value(10), .value(11), .value(12)])
  }

  @Test func `Two sequences that one thread sends while another one delivers come one after the other`() {
    let events = Self.values(.every) { outer in
      outer.send(10)
      outer.send(20)
    }
    #expect(events == [10, 11, 12, 20, 21, 22].map { .value($0) })
  }

  /// Not in `switchToLatest`, which requests from a stream when the delivery has ended; a failure is faster.
  @Test func `A failure that follows a sequence while another thread delivers comes after all of it`() {
    let events = Self.values(.every) { outer in
      outer.send(10)
      outer.send(completion: .failure(.oops))
    }
    #expect(events == [.value(10), .value(11), .value(12), .completion(.failure(.oops))])
  }

  @Test func `A sequence that is sent while another thread delivers is dropped when a newer one replaces it`() {
    let events = Self.values(.latest) { outer in
      outer.send(10)
      outer.send(20)
    }
    #expect(events == [20, 21, 22].map { .value($0) })
  }

  @Test func `A value that a thread sends after a sequence, while another thread delivers, comes after it`() {
    let (outer, first, second) = (Subject(), Subject(), Subject())
    let recorder = Recorder<Int, TestError>()
    outer.flatMap { number -> Either<Numbers> in
      switch number {
      case 0: .subject(first)
      case 1: .subject(second)
      default: .publisher(Numbers(sequence: [1, 2, 3]))
      }
    }.subscribe(recorder)
    recorder.onValue = { value in
      if value == -1 {
        elsewhere {
          outer.send(2)
          second.send(4)
        }
      }
      return .none
    }
    outer.send(0)
    outer.send(1)
    first.send(-1)
    #expect(recorder.values == [-1, 1, 2, 3, 4])
  }

  @Test(arguments: Kind.allCases)
  func `A completion waits for a sequence that is sent while another thread delivers`(_ kind: Kind) {
    let (outer, other) = (Subject(), Subject())
    let recorder = Recorder<Int, TestError>()
    Self.flatten(outer, kind, into: recorder) { number in
      number == 0 ? Either<Numbers>.subject(other) : .publisher(Numbers(sequence: [1, 2, 3]))
    }
    recorder.onValue = { value in
      if value == -1 {
        elsewhere {
          outer.send(1)
          outer.send(completion: .finished)
          other.send(completion: .finished)
        }
      }
      return .none
    }
    outer.send(0)
    other.send(-1)
    #expect(recorder.values == [-1, 1, 2, 3])
    #expect(recorder.isFinished)
  }

  @Test(arguments: Kind.allCases)
  func `Deliveries never overlap, each thread's values keep their order, and nothing is lost`(_ kind: Kind) {
    for _ in 1...20 {
      let (outer, other) = (Subject(), Subject())
      let recorder = Recorder<Int, TestError>()
      Self.flatten(outer, kind, into: recorder) { number in
        number == 0 ? Either<Numbers>.subject(other) : .publisher(Numbers(sequence: Array(1...200).map { $0 + number }))
      }
      outer.send(0)
      onThreads(2) { thread in
        if thread == 0 {
          for number in 1...4 { outer.send(number * 1_000) }
        } else {
          for number in 1...500 { other.send(-number) }
        }
      }
      outer.send(completion: .finished)
      other.send(completion: .finished)
      #expect(recorder.isSerial)
      #expect(recorder.complaints.isEmpty)
      #expect(recorder.isFinished)
      let mine = recorder.values.filter { $0 > 0 }
      #expect(mine == mine.sorted())
      let others = recorder.values.filter { $0 < 0 }
      #expect(others == others.sorted(by: >))
      if kind == .every { #expect(mine.count == 800 && others.count == 500) }
      #expect(mine.suffix(200) == Array(4_001...4_200)[...])
    }
  }

  @Test(arguments: Kind.allCases)
  func `A cancel on another thread ends a long sequence after the value that is being delivered`(_ kind: Kind) {
    let outer = Subject()
    let recorder = Recorder<Int, TestError>()
    Self.flatten(outer, kind, into: recorder) { _ in Numbers(sequence: Array(1...100_000)) }
    recorder.onValue = { value in
      if value == 3 { elsewhere { recorder.cancel() } }
      return .none
    }
    outer.send(1)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.complaints.isEmpty)
  }

  @Test func `A cancel of the replaced stream that opens another one leaves that one the latest`() {
    let (outer, other) = (PassthroughSubject<AnyPublisher<Int, TestError>, TestError>(), Subject())
    let (recorder, entered) = (Recorder<Int, TestError>(), Gate())
    let left = Gate()
    outer.switchToLatest().subscribe(recorder)
    recorder.onValue = { value in
      if value == 0 {
        entered.open()
        left.wait()
      }
      return .none
    }
    outer.send(
      other.handleEvents(receiveCancel: {
        for number in 1...3 { outer.send(Just(number).setFailureType(to: TestError.self).eraseToAnyPublisher()) }
      }).eraseToAnyPublisher())
    let shared = UncheckedBox(outer)
    onThreads(
      within: 60,
      [
        { other.send(0) },
        {
          entered.wait()
          shared.value.send(Just(9).setFailureType(to: TestError.self).eraseToAnyPublisher())
          left.open()
        },
      ])
    #expect(recorder.values == [0, 3])
  }
}
