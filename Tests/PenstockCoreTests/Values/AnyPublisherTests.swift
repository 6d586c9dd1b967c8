// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct AnyPublisherTests {
  @Test func `The description hides the type`() {
    let publisher = [1].publisher.eraseToAnyPublisher()
    #expect(publisher.description == "AnyPublisher")
    #expect(publisher.playgroundDescription as? String == "AnyPublisher")
    #expect(String(describing: publisher) == "AnyPublisher")
  }

  @Test func `Values, demand and completion pass through`() {
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(4))
    publisher.eraseToAnyPublisher().subscribe(recorder)
    #expect(recorder.subscriptions.first as? ManualSubscription === publisher.subscription)
    #expect(publisher.calls == [.requested(.max(2))])
    #expect(publisher.send(1) == .max(4))
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("ManualSubscription"), .value(1), .completion(.failure(.oops))])
  }

  @Test func `The wrapped publisher sees the subscriber's identity and texts`() {
    let publisher = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>()
    publisher.eraseToAnyPublisher().subscribe(recorder)
    #expect(publisher.subscribers.first?.combineIdentifier == recorder.combineIdentifier)
    #expect(publisher.subscribers.first?.description == "Recorder")
  }

  @Test func `Erasing an erased publisher does not nest`() {
    final class Counting: Publisher {
      typealias Output = Int
      typealias Failure = Never
      var subscribers: [Any.Type] = []
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscribers.append(S.self)
        subscriber.receive(subscription: Subscriptions.empty)
      }
    }
    let publisher = Counting()
    let once = publisher.eraseToAnyPublisher()
    let box = { (publisher: AnyPublisher<Int, Never>) in
      ObjectIdentifier(Mirror(reflecting: publisher).descendant("box") as AnyObject)
    }
    #expect(box(once) == box(once.eraseToAnyPublisher()))
    #expect(box(once) == box(AnyPublisher(once)))
  }

  @Test func `Erasing a class keeps its state shared`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    subject.eraseToAnyPublisher().subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1])
  }

  @Test func `Three erasures in a row work with classes and strings`() {
    final class Payload: Sendable {
      let text: String
      init(_ text: String) { self.text = text }
    }
    let recorder = Recorder<String, Never>()
    ["a", "b"].publisher.eraseToAnyPublisher()
      .map { Payload($0 + "!") }.eraseToAnyPublisher()
      .map { $0.text }.eraseToAnyPublisher()
      .subscribe(recorder)
    #expect(recorder.values == ["a!", "b!"])
    #expect(recorder.isFinished)
  }
}
