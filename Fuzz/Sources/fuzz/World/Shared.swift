// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

/// A stream with several subscribers, and its connection if it has one.
final class Shared: @unchecked Sendable {
  let stream: Stream
  private let makeConnection: (() -> any Cancellable)?
  private let connection = Guard<(any Cancellable)?>(nil)

  init(_ plan: SharedStream, of upstream: Stream) {
    switch plan.kind {
    case .share:
      stream = upstream.share().eraseToAnyPublisher()
      makeConnection = nil
    case .autoconnect:
      stream = upstream.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher()
      makeConnection = nil
    case .shareReplay:
      stream = upstream.shareReplay(capacity: plan.capacity).eraseToAnyPublisher()
      makeConnection = nil
    case .shareReplayCounted:
      stream = upstream.share(replay: plan.capacity).eraseToAnyPublisher()
      makeConnection = nil
    case .shareBounded:
      stream = upstream.share(buffering: .bounded(plan.capacity + 1)).eraseToAnyPublisher()
      makeConnection = nil
    case .shareNewest:
      stream = upstream.share(buffering: .newest(plan.capacity)).eraseToAnyPublisher()
      makeConnection = nil
    case .shareOldest:
      stream = upstream.share(buffering: .oldest(plan.capacity)).eraseToAnyPublisher()
      makeConnection = nil
    case .multicast:
      let connectable = upstream.multicast(subject: PassthroughSubject())
      stream = connectable.eraseToAnyPublisher()
      makeConnection = { connectable.connect() }
    case .multicastCurrent:
      let connectable = upstream.multicast(subject: CurrentValueSubject(.loose(0)))
      stream = connectable.eraseToAnyPublisher()
      makeConnection = { connectable.connect() }
    case .makeConnectable:
      let connectable = upstream.replaceError(with: .loose(0)).makeConnectable()
      stream = connectable.setFailureType(to: Fault.self).eraseToAnyPublisher()
      makeConnection = { connectable.connect() }
    }
  }

  func connect() {
    guard let made = makeConnection?() else { return }
    let old = connection.change { connection in
      defer { connection = made }
      return connection
    }
    withExtendedLifetime(old) {}
  }

  func disconnect() { connection.change { $0.take() }?.cancel() }
}
