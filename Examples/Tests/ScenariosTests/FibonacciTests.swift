// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import Scenarios
import Testing

/// A test for each mistake of the tutorial on which this publisher is based, and for the rules that every publisher has
/// to keep.
@Suite struct FibonacciTests {
  private final class Asking: Subscriber, @unchecked Sendable {
    typealias Input = Int
    typealias Failure = Never
    private let lock = NSLock()
    private var received: [Int] = []
    private var ends = 0
    private(set) var subscription: (any Subscription)?
    private(set) var endsWithoutSubscription = 0
    var answer = Subscribers.Demand.none
    var onValue: (Int) -> Void = { _ in }

    var values: [Int] { lock.withLock { received } }
    var completions: Int { lock.withLock { ends } }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Int) -> Subscribers.Demand {
      lock.withLock { received.append(input) }
      onValue(input)
      return answer
    }

    func receive(completion: Subscribers.Completion<Never>) {
      lock.withLock { ends += 1 }
      if subscription == nil { endsWithoutSubscription += 1 }
      subscription = nil
    }
  }

  private static let firstTen = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]

  @Test func `A later request goes on where the one before it stopped`() {
    let subscriber = Asking()
    Publishers.fibonacci(count: .max(5)).subscribe(subscriber)
    subscriber.subscription?.request(.max(3))
    #expect(subscriber.values == [0, 1, 1])
    #expect(subscriber.completions == 0)
    subscriber.subscription?.request(.max(2))
    #expect(subscriber.values == [0, 1, 1, 2, 3])
    #expect(subscriber.completions == 1)
  }

  @Test func `Unlimited demand ends behind the last number that an Int holds`() throws {
    let subscriber = Asking()
    Publishers.fibonacci(count: .unlimited).subscribe(subscriber)
    subscriber.subscription?.request(.unlimited)
    #expect(subscriber.completions == 1)
    let last = try #require(subscriber.values.last)
    let (_, overflow) = last.addingReportingOverflow(subscriber.values[subscriber.values.count - 2])
    #expect(overflow)
    #expect(subscriber.values.count == 93)
  }

  @Test(arguments: 1...10)
  func `One at a time gives the same as all at once`(_ count: Int) {
    let (single, answering) = (Asking(), Asking())
    Publishers.fibonacci(count: .max(count)).subscribe(single)
    for asked in 1...count {
      single.subscription?.request(.max(1))
      #expect(single.values.count == asked)
    }
    answering.answer = .max(1)
    Publishers.fibonacci(count: .max(count)).subscribe(answering)
    answering.subscription?.request(.max(1))
    for subscriber in [single, answering] {
      #expect(subscriber.values == Array(Self.firstTen.prefix(count)))
      #expect(subscriber.completions == 1)
    }
  }

  @Test func `No numbers at all is an end that needs no demand`() {
    let subscriber = Asking()
    Publishers.fibonacci(count: .none).subscribe(subscriber)
    #expect(subscriber.values.isEmpty)
    #expect(subscriber.completions == 1)
    #expect(subscriber.endsWithoutSubscription == 0)
  }

  @Test func `The end comes once, whatever is asked for later`() {
    let subscriber = Asking()
    Publishers.fibonacci(count: .max(3)).subscribe(subscriber)
    let subscription = subscriber.subscription
    for _ in 1...3 { subscription?.request(.unlimited) }
    #expect(subscriber.values == [0, 1, 1])
    #expect(subscriber.completions == 1)
  }

  @Test func `Who cancels hears nothing more, and is let go`() {
    weak var gone: Asking?
    let subscription: (any Subscription)?
    do {
      let subscriber = Asking()
      Publishers.fibonacci(count: .max(3)).subscribe(subscriber)
      subscription = subscriber.subscription
      subscription?.request(.max(1))
      subscription?.cancel()
      #expect(subscriber.values == [0])
      #expect(subscriber.completions == 0)
      gone = subscriber
    }
    #expect(gone == nil)
    subscription?.request(.unlimited)
  }

  @Test func `A request or a cancel from inside of a delivery works`() {
    let subscriber = Asking()
    Publishers.fibonacci(count: .max(10)).subscribe(subscriber)
    let subscription = subscriber.subscription
    subscriber.onValue = { value in
      if value < 5 { subscription?.request(.max(1)) }
      if value == 5 { subscription?.cancel() }
    }
    subscription?.request(.max(1))
    #expect(subscriber.values == [0, 1, 1, 2, 3, 5])
    #expect(subscriber.completions == 0)
    subscription?.request(.max(1))
    #expect(subscriber.values.count == 6)
  }

  @Test func `Deliveries do not nest, however they are asked for`() {
    let subscriber = Asking()
    Publishers.fibonacci(count: .unlimited).subscribe(subscriber)
    let subscription = subscriber.subscription
    var (depth, deepest) = (0, 0)
    subscriber.onValue = { _ in
      depth += 1
      deepest = max(deepest, depth)
      subscription?.request(.max(1))
      depth -= 1
    }
    subscription?.request(.max(1))
    #expect(subscriber.values.count == 93)
    #expect(deepest == 1)
  }

  @Test func `Another thread may request and cancel during a delivery`() {
    let subscriber = Asking()
    Publishers.fibonacci(count: .unlimited).subscribe(subscriber)
    let subscription = Held(subscriber.subscription)
    var results: [DispatchTimeoutResult] = []
    subscriber.onValue = { value in
      let returned = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        if value < 2 { subscription.value?.request(.max(1)) } else { subscription.value?.cancel() }
        returned.signal()
      }
      results.append(returned.wait(timeout: .now() + 30))
    }
    subscription.value?.request(.max(1))
    #expect(subscriber.values == [0, 1, 1, 2])
    #expect(results.allSatisfy { $0 == .success })
    #expect(subscriber.completions == 0)
  }

  @Test func `Asking for nothing traps`() async {
    await #expect(processExitsWith: .failure) {
      let subscriber = Asking()
      Publishers.fibonacci().subscribe(subscriber)
      subscriber.subscription?.request(.none)
    }
  }

  @Test func `Requests from two threads lose nothing`() async {
    for _ in 0..<50 {
      let subscriber = Asking()
      Publishers.fibonacci(count: .max(90)).subscribe(subscriber)
      let subscription = Held(subscriber.subscription)
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask { for _ in 0..<30 { subscription.value?.request(.max(1)) } }
        }
      }
      #expect(subscriber.values.count == 90)
      #expect(Array(subscriber.values.prefix(10)) == Self.firstTen)
      #expect(subscriber.completions == 1)
    }
  }

  /// The contract allows calls of a subscription's methods on any thread, but its protocol does not require `Sendable`.
  private struct Held: @unchecked Sendable {
    let value: (any Subscription)?
    init(_ value: (any Subscription)?) { self.value = value }
  }
}
