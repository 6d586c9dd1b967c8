// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: J-06 – the connection is stored when `sink` has returned, and nobody then checks whether it is still wanted.
// Shows when the last subscriber cancels while the source is being subscribed (in a value the source sends at once):
// the source is not disconnected and runs on; the next subscriber makes a second connection next to it.
final class OneConnection<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private final class Link {
    let subject = PassthroughSubject<Output, Failure>()
    var users = 0
    var connection: AnyCancellable?
  }

  private let upstream: Upstream
  private let lock = NSLock()
  private var link: Link?

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let (link, isFirst) = lock.withLock { () -> (Link, Bool) in
      let link = self.link ?? Link()
      self.link = link
      link.users += 1
      return (link, link.users == 1)
    }
    link.subject.subscribe(User(subscriber, self, link))
    if isFirst, lock.withLock({ link.users > 0 }) { connect(link) }
  }

  private func connect(_ link: Link) {
    let connection = upstream.sink(
      receiveCompletion: { [weak self] in
        self?.close(link)
        link.subject.send(completion: $0)
      },
      receiveValue: { link.subject.send($0) })
    lock.withLock { link.connection = connection }
  }

  // After the end, the next subscriber connects again.
  private func close(_ link: Link) {
    lock.withLock { if self.link === link { self.link = nil } }
  }

  private func leave(_ link: Link) {
    let connection = lock.withLock { () -> AnyCancellable? in
      link.users -= 1
      guard link.users == 0 else { return nil }
      if self.link === link { self.link = nil }
      defer { link.connection = nil }
      return link.connection
    }
    connection?.cancel()
  }

  private final class User<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    typealias Input = Output
    private struct Live {
      let downstream: Downstream
      let share: OneConnection
      let link: Link
      var upstream: (any Subscription)?
    }

    private let lock = NSLock()
    private var live: Live?

    init(_ downstream: Downstream, _ share: OneConnection, _ link: Link) {
      live = Live(downstream: downstream, share: share, link: link)
    }

    func receive(subscription: any Subscription) {
      let downstream = lock.withLock { () -> Downstream? in
        guard live != nil, live!.upstream == nil else { return nil }
        live!.upstream = subscription
        return live!.downstream
      }
      guard let downstream else { return subscription.cancel() }
      downstream.receive(subscription: self)
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      lock.withLock { live?.downstream }?.receive(input) ?? .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      takeLive()?.downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > 0 else { return }
      lock.withLock { live?.upstream }?.request(demand)
    }

    func cancel() {
      guard let live = takeLive() else { return }
      live.upstream?.cancel()
      live.share.leave(live.link)
    }

    private func takeLive() -> Live? {
      lock.withLock {
        defer { live = nil }
        return live
      }
    }
  }
}
