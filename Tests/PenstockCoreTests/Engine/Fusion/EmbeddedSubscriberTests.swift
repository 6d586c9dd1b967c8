// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A subscriber of the user's that is a structure with a larger alignment than anything in a subscription.
private struct Aligned: Subscriber {
  let combineIdentifier = CombineIdentifier()
  let vector = SIMD4<Double>(1, 2, 3, 4)
  let values: Locked<[Double]>
  let canary: Canary
  let subscription = Locked<(any Subscription)?>(nil)

  func receive(subscription: any Subscription) {
    self.subscription.change { $0 = subscription }
    subscription.request(.unlimited)
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    values.change { $0.append(vector[input]) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { values.change { $0.append(-1) } }
}

/// A publisher that reports the identifiers of its subscribers.
private struct Telling: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let identifiers: Locked<[CombineIdentifier]>
  let upstream: AnyPublisher<Int, Never>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    identifiers.change { $0 += [subscriber.combineIdentifier, subscriber.combineIdentifier] }
    upstream.subscribe(subscriber)
  }
}

@Suite struct EmbeddedSubscriberTests {
  @Test(arguments: [false, true])
  func `A subject keeps a subscriber of any size and alignment, shows it, and releases it`(_ cancels: Bool) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, Never>()
    let values = Locked<[Double]>([])
    let (kept, isShown): (Locked<(any Subscription)?>, () -> Bool) = {
      let subscriber = Aligned(values: values, canary: graveyard.watch(Canary()))
      subject.subscribe(subscriber)
      return (
        subscriber.subscription,
        {
          Mirror(reflecting: subscriber.subscription.value!).children
            .contains { $0.label == "downstream" && $0.value is Aligned }
        }
      )
    }()
    subject.send(0)
    subject.send(3)
    #expect(isShown())
    if cancels { kept.value?.cancel() } else { subject.send(completion: .finished) }
    #expect(!isShown())
    subject.send(1)
    #expect(values.value == (cancels ? [1, 4] : [1, 4, -1]))
  }

  @Test func `Identifiers of a chain are stable, and differ from each other and from those of other chains`() {
    let identifiers = Locked<[CombineIdentifier]>([])
    var recorders: [Recorder<Int, Never>] = []
    let count = 40
    for _ in 0..<count {
      let subject = PassthroughSubject<Int, Never>()
      var publisher = Telling(identifiers: identifiers, upstream: subject.eraseToAnyPublisher()).eraseToAnyPublisher()
      for _ in 0..<9 {
        publisher = Telling(identifiers: identifiers, upstream: publisher.map { $0 }.eraseToAnyPublisher())
          .eraseToAnyPublisher()
      }
      let recorder = Recorder<Int, Never>()
      publisher.subscribe(recorder)
      recorders.append(recorder)
    }
    let all = identifiers.value
    #expect(all.count == 2 * 10 * count)
    for place in stride(from: 0, to: all.count, by: 2) { #expect(all[place] == all[place + 1]) }
    #expect(Set(all).count == 10 * count)
    let others = (0..<1_000).map { _ in CombineIdentifier() }
    #expect(Set(all).isDisjoint(with: others))
    for recorder in recorders { recorder.cancel() }
  }
}
