// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// `combineLatest` and `zip` of five to eight publishers, and `withLatestFrom` with several.
@Suite struct BeyondFourTests {
  private let numbers = (0..<8).map { CurrentValueSubject<Int, TestError>($0) }

  @Test func `combineLatest of five to eight has each at its place`() {
    let n = numbers
    let five = Recorder<[Int], TestError>()
    n[0].combineLatest(n[1], n[2], n[3], n[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] }.subscribe(five)
    let six = Recorder<[Int], TestError>()
    n[0].combineLatest(n[1], n[2], n[3], n[4], n[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] }.subscribe(six)
    let seven = Recorder<[Int], TestError>()
    n[0].combineLatest(n[1], n[2], n[3], n[4], n[5], n[6])
      .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6] }.subscribe(seven)
    let eight = Recorder<[Int], TestError>()
    n[0].combineLatest(n[1], n[2], n[3], n[4], n[5], n[6], n[7])
      .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7] }.subscribe(eight)
    n[4].value = 40
    #expect(five.values == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 40]])
    #expect(six.values.last == [0, 1, 2, 3, 40, 5])
    #expect(seven.values.last == [0, 1, 2, 3, 40, 5, 6])
    #expect(eight.values.last == [0, 1, 2, 3, 40, 5, 6, 7])
    #expect(eight.values.count == 2)
    for number in n { number.send(completion: .finished) }
    #expect([five, six, seven, eight].allSatisfy { $0.completions == [.finished] })
  }

  @Test func `zip of five to eight has each at its place`() {
    func row(_ number: Int) -> Publishers.Sequence<[Int], TestError> { .init(sequence: [number, number * 10]) }
    let five = Recorder<[Int], TestError>()
    row(1).zip(row(2), row(3), row(4), row(5)).map { [$0.0, $0.1, $0.2, $0.3, $0.4] }.subscribe(five)
    let six = Recorder<[Int], TestError>()
    row(1).zip(row(2), row(3), row(4), row(5), row(6)).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] }.subscribe(six)
    let seven = Recorder<[Int], TestError>()
    row(1).zip(row(2), row(3), row(4), row(5), row(6), row(7))
      .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6] }.subscribe(seven)
    let eight = Recorder<[Int], TestError>()
    row(1).zip(row(2), row(3), row(4), row(5), row(6), row(7), row(8))
      .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7] }.subscribe(eight)
    #expect(five.values == [Array(1...5), (1...5).map { $0 * 10 }])
    #expect(six.values == [Array(1...6), (1...6).map { $0 * 10 }])
    #expect(seven.values == [Array(1...7), (1...7).map { $0 * 10 }])
    #expect(eight.values == [Array(1...8), (1...8).map { $0 * 10 }])
    #expect([five, six, seven, eight].allSatisfy { $0.completions == [.finished] })
  }

  @Test func `The types of the publishers may differ`() {
    let recorder = Recorder<String, Never>()
    Just(1).combineLatest(Just("a"), Just(true), Just(2.5), Just<Character>("x"))
      .map { "\($0.0)\($0.1)\($0.2)\($0.3)\($0.4)" }.subscribe(recorder)
    #expect(recorder.values == ["1atrue2.5x"])
  }

  @Test func `withLatestFrom waits for all others`() {
    let taps = PassthroughSubject<Int, TestError>()
    let late = PassthroughSubject<Int, TestError>()
    let (two, three, four) = (Recorder<[Int], TestError>(), Recorder<[Int], TestError>(), Recorder<[Int], TestError>())
    taps.withLatestFrom(numbers[1], late).map { [$0.0, $0.1] }.subscribe(two)
    taps.withLatestFrom(numbers[1], numbers[2], late).map { [$0.0, $0.1, $0.2] }.subscribe(three)
    taps.withLatestFrom(numbers[1], numbers[2], numbers[3], late) { [$0, $1.0, $1.1, $1.2, $1.3] }.subscribe(four)
    taps.send(100)
    late.send(9)
    #expect(two.values.isEmpty && three.values.isEmpty && four.values.isEmpty)
    taps.send(101)
    numbers[1].value = 11
    taps.send(102)
    #expect(two.values == [[1, 9], [11, 9]])
    #expect(three.values == [[1, 2, 9], [11, 2, 9]])
    #expect(four.values == [[101, 1, 2, 3, 9], [102, 11, 2, 3, 9]])
    taps.send(completion: .finished)
    #expect([two, three, four].allSatisfy { $0.completions == [.finished] })
  }

  /// A known fault of a peer: its `withLatestFrom` kept the other publishers after the end.
  @Test(arguments: [true, false])
  func `The others are released when the stream is over`(_ isCancelled: Bool) {
    var graveyard = Graveyard()
    let taps = PassthroughSubject<Int, TestError>()
    do {
      let first = graveyard.watch(PassthroughSubject<Int, TestError>(), "first")
      let second = graveyard.watch(PassthroughSubject<Int, TestError>(), "second")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "downstream")
      taps.withLatestFrom(first, second) { $0 + $1.0 + $1.1 }.subscribe(recorder)
      first.send(1)
      if isCancelled { recorder.cancel() } else { taps.send(completion: .finished) }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
