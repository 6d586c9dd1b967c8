// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A hand-driven socket: a subject that drops what nobody asked for and hangs up after its last listener.
///
/// Breaks S-06: every `cancel` counts as one listener gone, so a second cancel of one cuts off the others.
final class SocketFeed<Failure: Error>: Subject {
  typealias Output = Int

  private let lock = NSLock()
  private var ending: Subscribers.Completion<Failure>?
  private var listeners: [Listener] = []
  private var listening = 0

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    lock.lock()
    let listener = Listener(AnySubscriber(subscriber), socket: self, ending: ending)
    if ending == nil {
      listeners.append(listener)
      listening += 1
    }
    lock.unlock()
    listener.open()
  }

  func send(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  func send(_ value: Int) {
    lock.lock()
    let peers = listeners
    for peer in peers { peer.put(value) }
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
    listening -= 1
    // The line is closed when nobody listens any more.
    let unreachable = listening == 0 ? listeners : []
    if listening == 0 { listeners = [] }
    lock.unlock()
    withExtendedLifetime(unreachable) {}
  }

  private final class Listener: Subscription {
    private let lock = NSLock()
    private weak var socket: SocketFeed?
    private var downstream: AnySubscriber<Int, Failure>?
    private var accepted: [Int] = []
    private var ending: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isBusy = true

    init(_ downstream: AnySubscriber<Int, Failure>, socket: SocketFeed, ending: Subscribers.Completion<Failure>?) {
      self.downstream = downstream
      self.socket = socket
      self.ending = ending
    }

    func open() {
      let target = downstream
      target?.receive(subscription: self)
      drain()
    }

    func put(_ value: Int) {
      lock.lock()
      if downstream != nil, demand > .none {
        demand -= 1
        accepted.append(value)
      }
      lock.unlock()
    }

    func put(_ completion: Subscribers.Completion<Failure>) {
      lock.lock()
      ending = completion
      lock.unlock()
    }

    func kick() {
      lock.lock()
      guard !isBusy else { return lock.unlock() }
      isBusy = true
      lock.unlock()
      drain()
    }

    private func drain() {
      while true {
        lock.lock()
        guard let target = downstream else { break }
        guard !accepted.isEmpty else {
          guard let ending else { break }
          downstream = nil
          isBusy = false
          lock.unlock()
          target.receive(completion: ending)
          return
        }
        let value = accepted.removeFirst()
        lock.unlock()
        let more = target.receive(value)
        lock.lock()
        demand += more
        lock.unlock()
      }
      isBusy = false
      lock.unlock()
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      if demand > .none { self.demand += demand }
      lock.unlock()
    }

    func cancel() {
      lock.lock()
      let released = downstream
      downstream = nil
      accepted = []
      lock.unlock()
      withExtendedLifetime(released) { socket?.left(self) }
    }
  }
}
