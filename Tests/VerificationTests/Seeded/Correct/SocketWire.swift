// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A hand-driven socket: a subject that drops what a listener has not asked for.
///
/// Keeps all rules. An end, failures too, comes after what was accepted before it.
final class SocketWire<Failure: Error>: Subject {
  typealias Output = Int

  private let lock = NSLock()
  private var ending: Subscribers.Completion<Failure>?
  private var listeners: [Listener] = []

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    let listener = Listener(AnySubscriber(subscriber), wire: self)
    lock.lock()
    if let ending {
      listener.put(ending)
    } else {
      listeners.append(listener)
    }
    lock.unlock()
    listener.open()
  }

  func send(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  func send(_ value: Int) {
    // All listeners get all values in one order, whichever threads send; so they are put in under the lock.
    lock.lock()
    let peers = listeners
    for peer in peers { peer.put(value, onlyIfAsked: true) }
    lock.unlock()
    for peer in peers { peer.kick() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    lock.lock()
    guard ending == nil else { return lock.unlock() }
    ending = completion
    let peers = listeners
    listeners = []
    for peer in peers { peer.put(completion) }
    lock.unlock()
    for peer in peers { peer.kick() }
  }

  private func left(_ listener: Listener) {
    lock.lock()
    listeners.removeAll { $0 === listener }
    lock.unlock()
  }

  private final class Listener: CleanMailbox<AnySubscriber<Int, Failure>> {
    private weak var wire: SocketWire?

    init(_ downstream: AnySubscriber<Int, Failure>, wire: SocketWire) {
      self.wire = wire
      super.init(downstream)
      // Values that were asked for and sent come first; they wait only for the callback that is open.
      failureWaits = true
    }

    override func cancel() {
      super.cancel()
      wire?.left(self)
    }
  }
}
