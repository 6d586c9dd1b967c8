// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Objects to which nothing but the engine refers, made in functions that end before anything is delivered.
///
/// The optimiser allocates an object on the stack if it sees that no reference to it remains. It has to see the
/// references in the engine's places for values of any type; so these tests count most where the tests are optimised.
@Suite struct FreshObjectTests {
  /// An object that counts itself when it is freed.
  private final class Fresh: Sendable {
    let number: Int
    private let gone: Locked<[Int]>

    init(_ number: Int, _ gone: Locked<[Int]>) { (self.number, self.gone) = (number, gone) }
    deinit { gone.change { $0.append(number) } }
  }

  /// A failure of two words, so that a result with it is stored in place.
  private struct TextFailure: Error { var text = "of two words" }

  private typealias Subject = PassthroughSubject<Fresh, Never>
  private typealias Current = CurrentValueSubject<Fresh, Never>

  private let gone = Locked<[Int]>([])

  @inline(never) private func future(_ gone: Locked<[Int]>) -> Future<Fresh, TextFailure> {
    Future { $0(.success(Fresh(1, gone))) }
  }

  @Test func `A future keeps its result`() {
    do {
      let future = future(gone)
      #expect(gone.value == [])
      for _ in 0..<2 {
        var numbers: [Int] = []
        _ = future.sink(receiveCompletion: { _ in }, receiveValue: { numbers.append($0.number) })
        #expect(numbers == [1])
      }
      withExtendedLifetime(future) { #expect(gone.value == []) }
    }
    #expect(gone.value == [1])
  }

  @inline(never) private func current(_ gone: Locked<[Int]>) -> Current { Current(Fresh(1, gone)) }

  @inline(never) private func send(_ number: Int, to subject: Current, _ gone: Locked<[Int]>) {
    subject.send(Fresh(number, gone))
  }

  @Test func `A subject keeps its current value`() {
    do {
      let subject = current(gone)
      #expect(subject.value.number == 1)
      #expect(gone.value == [])
      send(2, to: subject, gone)
      #expect(gone.value == [1])
      #expect(subject.value.number == 2)
    }
    #expect(gone.value == [1, 2])
  }

  @inline(never) private func send(_ number: Int, to subject: Subject, _ gone: Locked<[Int]>) {
    subject.send(Fresh(number, gone))
  }

  @Test(arguments: ["zip", "combineLatest", "merge"])
  func `An operator keeps what waits for another stream or for demand`(name: String) {
    let (first, second) = (Subject(), Subject())
    let received = Locked<[Int]>([])
    let pair = { (a: Fresh, b: Fresh) in received.change { $0 += [a.number, b.number] } }
    do {
      let cancellable =
        switch name {
        case "zip": first.zip(second).sink(receiveValue: pair)
        case "combineLatest": first.combineLatest(second).sink(receiveValue: pair)
        default: first.merge(with: second).collect(2).sink { pair($0[0], $0[1]) }
        }
      send(1, to: first, gone)
      #expect(gone.value == [])
      send(2, to: second, gone)
      #expect(received.value == [1, 2])
      cancellable.cancel()
    }
    #expect(gone.value.sorted() == [1, 2])
  }

  @inline(never) private func attach(
    to subject: PassthroughSubject<Int, Never>, _ gone: Locked<[Int]>, _ received: Locked<[Int]>
  ) -> AnyCancellable {
    let fresh = Fresh(1, gone)
    return subject.map { $0 + fresh.number }.sink { number in received.change { $0.append(number) } }
  }

  @Test func `A subscription keeps what its closures refer to`() {
    let (subject, received) = (PassthroughSubject<Int, Never>(), Locked<[Int]>([]))
    let cancellable = attach(to: subject, gone, received)
    subject.send(1)
    #expect(gone.value == [])
    #expect(received.value == [2])
    cancellable.cancel()
    #expect(gone.value == [1])
  }
}
