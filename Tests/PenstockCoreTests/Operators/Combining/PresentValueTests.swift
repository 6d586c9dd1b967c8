// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The values that an operator with several upstreams gets from an upstream with a present value, while it subscribes
/// on one thread.
@Suite struct PresentValueTests {
  /// The usual "share with a replay of one" of code for Combine: 77 is replaced while the subscriber is attached.
  private func five() -> some Publisher<Int, Never> {
    Just(5).append(Empty(completeImmediately: false)).multicast { CurrentValueSubject<Int, Never>(77) }.autoconnect()
  }

  private let hundred = CurrentValueSubject<Int, Never>(100)

  /// Returns the texts of all events that a publisher delivers at once.
  private func events<P: Publisher>(_ publisher: P) -> [String] {
    var events: [String] = []
    let cancellable = publisher.sink(
      receiveCompletion: { events.append("\($0)") }, receiveValue: { events.append("\($0)") })
    withExtendedLifetime(cancellable) {}
    return events
  }

  @Test func `combineLatest combines what the present values are when it requests`() {
    #expect(events(hundred.combineLatest(five())) == ["(100, 5)"])
    #expect(events(five().combineLatest(hundred)) == ["(5, 100)"])
    #expect(events(five().combineLatest(hundred, five())) == ["(5, 100, 5)"])
  }

  @Test func `zip takes what the present values are when it requests`() {
    #expect(events(five().zip(hundred)) == ["(5, 100)"])
    let present = CurrentValueSubject<Int, Never>(1)
    let changing = present.zip(
      Deferred { () -> CurrentValueSubject<Int, Never> in
        present.send(2)
        return hundred
      })
    #expect(events(changing) == ["(2, 100)"])
  }

  @Test func `merge delivers what is sent while it subscribes before the value of the next upstream`() {
    #expect(events(five().merge(with: hundred)) == ["77", "5", "100"])
    #expect(events(hundred.merge(with: five())) == ["100", "77", "5"])
  }

  @Test func `A failure while combineLatest subscribes is all that it delivers`() {
    let failing = Fail<Int, TestError>(error: .oops).multicast { CurrentValueSubject<Int, TestError>(77) }.autoconnect()
    let late = failing.combineLatest(hundred.setFailureType(to: TestError.self))
    #expect(events(late) == ["failure(\(TestError.oops))"])
  }

  @Test func `A closure that sends while its upstream's present value passes is overtaken by what it sends`() {
    let one = CurrentValueSubject<Int, Never>(1)
    let other = CurrentValueSubject<Int, Never>(200)
    let sending = other.map { (value: Int) -> Int in
      if value == 200 { other.send(7) }
      return value
    }
    var events: [String] = []
    let cancellable = one.zip(sending).sink { events.append("\($0)") }
    one.send(2)
    #expect(events == ["(1, 7)", "(2, 200)"])
    withExtendedLifetime(cancellable) {}
  }

  /// A publisher of a user's that hides its upstream.
  private struct Hiding<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    private struct Link: Subscription {
      let combineIdentifier = CombineIdentifier()
      let subscription: any Subscription

      func request(_ demand: Subscribers.Demand) { subscription.request(demand) }

      func cancel() { subscription.cancel() }
    }

    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        AnySubscriber<Output, Failure>(
          receiveSubscription: { subscriber.receive(subscription: Link(subscription: $0)) },
          receiveValue: subscriber.receive, receiveCompletion: subscriber.receive))
    }
  }

  @Test(arguments: [false, true])
  func `A value that was skipped while merge subscribes waits for a request, not for demand that is returned`(
    isHidden: Bool
  ) {
    let present = CurrentValueSubject<Int, Never>(1)
    let never = Empty<Int, Never>(completeImmediately: false)
    let values: AnyPublisher<Int, Never> =
      isHidden
      ? Hiding(upstream: present).merge(with: never).eraseToAnyPublisher()
      : present.merge(with: never).eraseToAnyPublisher()
    var received: [Int] = []
    var subscription: (any Subscription)?
    values.subscribe(
      AnySubscriber(
        receiveSubscription: {
          subscription = $0
          $0.request(.max(3))
        },
        receiveValue: { value in
          received.append(value)
          if value == 1 { present.send(2) }
          return .none
        }, receiveCompletion: { _ in }))
    #expect(received == [1])
    present.send(3)
    #expect(received == [1, 3])
    subscription?.cancel()
  }

  @Test(arguments: [false, true])
  func `A value that was skipped while merge subscribes is served to an operator that asks while it delivers another`(
    isHidden: Bool
  ) {
    let present = CurrentValueSubject<Int, Never>(1)
    let never = Empty<Int, Never>(completeImmediately: false)
    // Requests the demand that its subscriber returns.
    let asking = present.retry(1)
    let values: AnyPublisher<Int, Never> =
      isHidden
      ? Hiding(upstream: asking).merge(with: never).eraseToAnyPublisher()
      : asking.merge(with: never).eraseToAnyPublisher()
    var received: [Int] = []
    var subscription: (any Subscription)?
    values.subscribe(
      AnySubscriber(
        receiveSubscription: {
          subscription = $0
          $0.request(.max(3))
        },
        receiveValue: { value in
          received.append(value)
          if value == 1 { present.send(2) }
          return .none
        }, receiveCompletion: { _ in }))
    #expect(received == [1, 2])
    present.send(3)
    #expect(received == [1, 2, 3])
    subscription?.cancel()
  }

  @Test func `Published properties are combined in a state that the object had`() {
    final class Model {
      @Published var name = "a"
      @Published var isRight = false
    }
    let model = Model()
    let states = model.$name.combineLatest(
      model.$isRight.map { (value: Bool) -> Bool in
        if model.name == "a" { model.name = "b" }
        return value
      })
    #expect(events(states) == [#"("b", false)"#])
  }

  @Test func `What a sink sends in the first value of a merge comes before the next upstream`() {
    let first = CurrentValueSubject<Int, Never>(1)
    var values: [Int] = []
    let cancellable = first.merge(with: hundred).sink {
      values.append($0)
      if $0 == 1 { first.send(2) }
    }
    #expect(values == [1, 2, 100])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `What another thread sends while a fan-in subscribes is not lost, and keeps its order`() {
    for _ in 1...200 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let values = Locked<[Int]>([])
      let cancellable = Locked<AnyCancellable?>(nil)
      onThreads(2) { thread in
        if thread == 0 {
          for value in 1...20 { subject.send(value) }
        } else {
          let made = subject.merge(with: Just(-1)).sink { value in
            if value >= 0 { values.change { $0.append(value) } }
          }
          cancellable.change { $0 = made }
        }
      }
      let received = values.value
      #expect(received == received.sorted())
      #expect(Set(received).count == received.count)
      #expect(received.last == 20)
    }
  }
}
