// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// An operator that collects values into arrays at boundaries, so that multiples of ten end an array: the operators
/// that find the boundary in the values.
struct Chunker: CustomTestStringConvertible, Sendable {
  typealias Source = AnyPublisher<Int, TestError>

  let name: String
  /// Whether an array is complete only when the value after it has arrived.
  let looksAhead: Bool
  let apply: @Sendable (Source) -> AnyPublisher<[Int], TestError>

  var testDescription: String { name }

  static let all = [
    Chunker(name: "chunked(by:)", looksAhead: true) { source in
      source.chunked { last, _ in !last.isMultiple(of: 10) }.eraseToAnyPublisher()
    },
    Chunker(name: "chunked(on:)", looksAhead: true) { source in
      source.chunked { ($0 + 9) / 10 }.map { $1 }.eraseToAnyPublisher()
    },
    Chunker(name: "collect(while:)", looksAhead: false) { source in
      source.collect { !$0.isMultiple(of: 10) }.eraseToAnyPublisher()
    },
  ]
}

@Suite struct ChunkTests {
  typealias Reader = Recorder<[Int], TestError>

  private func attach(_ chunker: Chunker, _ recorder: Reader) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>()
    chunker.apply(publisher.eraseToAnyPublisher()).subscribe(recorder)
    return publisher
  }

  @Test(
    arguments: Chunker.all,
    [
      ([], []), ([1], [[1]]), ([10], [[10]]), ([8, 10], [[8, 10]]), ([8, 10, 11], [[8, 10], [11]]),
      ([1, 2, 10, 20, 21, 30], [[1, 2, 10], [20], [21, 30]]),
    ] as [([Int], [[Int]])])
  func `Every value is in one array, and the rest comes at the end`(
    _ chunker: Chunker, _ example: (inputs: [Int], expected: [[Int]])
  ) {
    let recorder = Reader()
    let publisher = attach(chunker, recorder)
    example.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    #expect(recorder.values == example.expected)
    #expect(recorder.completions == [.finished])
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test(arguments: Chunker.all)
  func `An array is published as soon as it is known to be complete`(_ chunker: Chunker) {
    let recorder = Reader()
    let publisher = attach(chunker, recorder)
    publisher.send(1)
    publisher.send(10)
    #expect(recorder.values == (chunker.looksAhead ? [] : [[1, 10]]))
    publisher.send(11)
    #expect(recorder.values == [[1, 10]])
  }

  @Test(arguments: Chunker.all)
  func `Upstream is asked for one value at a time while an array is wanted, and for nothing otherwise`(
    _ chunker: Chunker
  ) {
    let recorder = Reader(demand: nil)
    let publisher = attach(chunker, recorder)
    #expect(publisher.calls.isEmpty)
    recorder.request(.max(1))
    #expect(publisher.calls == [.requested(.max(1))])
    let values = chunker.looksAhead ? [1, 2, 10, 11] : [1, 2, 10]
    let answers = values.map { publisher.send($0) }
    #expect(answers == values.dropLast().map { _ in .max(1) } + [.none])
    #expect(recorder.values == [[1, 2, 10]])
    recorder.request(.max(2))
    #expect(publisher.calls == [.requested(.max(1)), .requested(.max(1))])
    recorder.request(.max(1))
    #expect(publisher.calls.count == 2, "a value is awaited")
    #expect(recorder.complaints.isEmpty)
  }

  @Test(arguments: Chunker.all)
  func `Where nobody asks for the next array, nothing overflows: upstream waits, for as long as it takes`(
    _ chunker: Chunker
  ) {
    let recorder = Reader(demand: .max(1))
    let asked = CountedValues(1...1_000)
    chunker.apply(asked.publisher).subscribe(recorder)
    let most = chunker.looksAhead ? 1 : 0
    for round in 1...100 {
      #expect(recorder.values.count == round)
      #expect(asked.delivered <= round * 10 + most)
      if round < 100 { recorder.request(.max(1)) }
    }
    #expect(recorder.values == (0..<100).map { Array($0 * 10 + 1...$0 * 10 + 10) })
    #expect(recorder.complaints.isEmpty)
  }

  @Test(arguments: Chunker.all)
  func `Unlimited demand is requested once, however late it comes`(_ chunker: Chunker) {
    let recorder = Reader(demand: .max(1))
    let publisher = attach(chunker, recorder)
    recorder.request(.unlimited)
    recorder.request(.unlimited)
    #expect([1, 2, 10].map { publisher.send($0) } == [.unlimited, .none, .none])
    recorder.request(.max(1))
    #expect(publisher.calls == [.requested(.max(1))])
  }

  @Test(arguments: Chunker.all)
  func `What is left waits at completion until it is requested, and the completion behind it`(_ chunker: Chunker) {
    let recorder = Reader(demand: .max(1))
    let publisher = attach(chunker, recorder)
    publisher.send(10)
    publisher.send(11)
    publisher.send(completion: .finished)
    #expect(recorder.values == [[10]])
    if chunker.looksAhead {
      #expect(recorder.completions.isEmpty)
    }
    recorder.request(.max(1))
    #expect(recorder.values == [[10], [11]])
    #expect(recorder.completions == [.finished])
  }

  @Test(arguments: Chunker.all)
  func `An end without values needs no demand`(_ chunker: Chunker) {
    let recorder = Reader(demand: nil)
    attach(chunker, recorder).send(completion: .finished)
    #expect(recorder.values.isEmpty && recorder.completions == [.finished])
  }

  @Test(arguments: Chunker.all)
  func `A failure is forwarded at once, and drops what has been collected`(_ chunker: Chunker) {
    let recorder = Reader(demand: .max(2))
    let publisher = attach(chunker, recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values.isEmpty && recorder.completions == [.failure(.oops)])
  }

  @Test(arguments: Chunker.all)
  func `Demand that comes one by one, returned or requested, does not grow the stack`(_ chunker: Chunker) {
    for returns in [true, false] {
      onSmallStack {
        let recorder = Reader(demand: .max(1))
        recorder.onValue = { [unowned recorder] _ in
          if !returns { recorder.request(.max(1)) }
          return returns ? .max(1) : .none
        }
        let values = Publishers.Sequence<[Int], TestError>(sequence: (1...100_000).map { $0 * 10 })
        chunker.apply(values.eraseToAnyPublisher()).subscribe(recorder)
        #expect(recorder.values.count == 100_000)
        #expect(recorder.isFinished && recorder.complaints.isEmpty)
      }
    }
  }

  @Test(arguments: Chunker.all, 0...3)
  func `A cancel goes upstream once, and nothing comes afterwards`(_ chunker: Chunker, _ count: Int) {
    let recorder = Reader(demand: .max(5))
    let publisher = attach(chunker, recorder)
    recorder.onValue = { [unowned recorder] _ in
      if recorder.values.count == count { recorder.cancel() }
      return .none
    }
    if count == 0 { recorder.cancel() }
    for value in [10, 20, 30, 31] { publisher.send(value) }
    if count < 3 || !chunker.looksAhead { publisher.send(completion: .finished) }
    recorder.request(.max(1))
    #expect(recorder.values.count == count)
    #expect(recorder.completions.isEmpty && recorder.complaints.isEmpty)
    #expect(publisher.subscription?.cancellations == 1)
  }

  @Test(arguments: Chunker.all)
  func `Several threads request what upstream delivers`(_ chunker: Chunker) {
    for _ in 0..<100 {
      let probe = Reader(demand: nil)
      let values = Publishers.Sequence<[Int], TestError>(sequence: (1...100).map { $0 * 10 })
      chunker.apply(values.eraseToAnyPublisher()).subscribe(probe)
      onThreads(3) { _ in
        for _ in 0..<20 { probe.request(.max(1)) }
      }
      #expect(!probe.hasOverlapped)
      #expect(probe.values == (1...60).map { [$0 * 10] })
    }
  }

  @Test(arguments: Chunker.all, ["finish", "fail", "cancel", "hold, then cancel"])
  func `Nothing is left when the stream is over`(_ chunker: Chunker, _ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(Reader(demand: end.hasPrefix("hold") ? .max(1) : .unlimited), "subscriber")
      chunker.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
      for value in [1, 10, 11] { subject.send(value) }
      switch end {
      case "finish": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      default: recorder.cancel()
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  // MARK: What is particular

  @Test func `The predicate gets neighbours, each pair once`() {
    var pairs: [[Int]] = []
    let cancellable = [1, 2, 3, 3].publisher
      .chunked {
        pairs.append([$0, $1])
        return $0 < $1
      }
      .sink { _ in }
    #expect(pairs == [[1, 2], [2, 3], [3, 3]])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `Only neighbours have a key in common`() {
    var chunks: [String] = []
    let cancellable = ["ab", "ac", "b", "ad"].publisher.chunked { $0.first! }.sink { chunks.append("\($0) \($1)") }
    #expect(chunks == [#"a ["ab", "ac"]"#, #"b ["b"]"#, #"a ["ad"]"#])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A predicate that sends has its value collected before its own`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<[Int], Never>()
    subject.collect { value in
      if value == 1 { subject.send(2) }
      return value != 3
    }
    .subscribe(recorder)
    subject.send(1)
    subject.send(3)
    #expect(recorder.values == [[2, 1, 3]])
  }
}

/// Counts how many values of a sequence have been delivered.
final class CountedValues {
  private(set) var delivered = 0
  private let values: ClosedRange<Int>

  init(_ values: ClosedRange<Int>) { self.values = values }

  var publisher: AnyPublisher<Int, TestError> {
    Publishers.Sequence<ClosedRange<Int>, TestError>(sequence: values)
      .handleEvents(receiveOutput: { [unowned self] _ in delivered += 1 }).eraseToAnyPublisher()
  }
}
