// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A subject driven by hand, which enforces no rule.
final class ManualSubject<Output, Failure: Error>: Subject {
  let publisher: ManualPublisher<Output, Failure>
  private(set) var sent: [Output] = []

  init(subscription: ManualSubscription? = ManualSubscription()) {
    publisher = ManualPublisher(subscription: subscription)
  }

  func send(_ value: Output) { sent.append(value) }
  func send(completion: Subscribers.Completion<Failure>) {}
  func send(subscription: any Subscription) {}

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    publisher.subscribe(subscriber)
  }
}

/// A connectable publisher that records when it is subscribed to, connected and disconnected.
final class ManualConnectable: ConnectablePublisher {
  typealias Output = Int
  typealias Failure = TestError

  let publisher: ManualPublisher<Int, TestError>
  private(set) var log: [String] = []
  var onConnect: (() -> Void)?
  var onDisconnect: (() -> Void)?

  init(subscription: ManualSubscription? = ManualSubscription()) {
    publisher = ManualPublisher(subscription: subscription)
    subscription?.onCancel = { [unowned self] in log.append("cancel") }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    log.append("subscribe")
    publisher.subscribe(subscriber)
  }

  func connect() -> any Cancellable {
    log.append("connect")
    onConnect?()
    return Connection(publisher: self)
  }

  /// A connection that has to be cancelled: releasing it has no effect.
  private struct Connection: Cancellable {
    let publisher: ManualConnectable

    func cancel() {
      publisher.log.append("disconnect")
      publisher.onDisconnect?()
    }
  }
}
