// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

// Generic functions determine what is combined, how, with what and in which form; they are called with publishers whose
// types they do not know. So each of them is compiled once, and a publisher's type has the same effect as in code that
// spells it out.

/// A publisher that is to be combined, new for each run.
struct CombinedFeed<Failure: Error> {
  let publisher: any Publisher<Int, Failure>
  /// Called when everything has been subscribed to.
  var later: () -> Void = {}
}

/// A way to share a publisher, or to leave it as it is.
enum Sharing: String, CaseIterable, Sendable {
  case plain, erased, deferred
  case share, multicast, makeConnectable, autoconnectAtLeast, multicastCurrent, connectedLater
  case replay, replayKeeping, keeping
  case bounded, newest, oldest, unbounded
  case multicastIn, multicastInUnbounded

  func share<P: Publisher>(_ upstream: P) -> CombinedFeed<P.Failure> where P.Output == Int {
    typealias Subject = PassthroughSubject<Int, P.Failure>
    let scheduler = ImmediateScheduler.shared
    switch self {
    case .plain: return CombinedFeed(publisher: upstream)
    case .erased: return CombinedFeed(publisher: upstream.eraseToAnyPublisher())
    case .deferred: return CombinedFeed(publisher: Deferred { upstream })
    case .share: return CombinedFeed(publisher: upstream.share())
    case .multicast: return CombinedFeed(publisher: upstream.multicast(Subject.init).autoconnect())
    case .makeConnectable: return CombinedFeed(publisher: connectable(upstream))
    case .autoconnectAtLeast:
      return CombinedFeed(publisher: upstream.multicast(Subject.init).autoconnect(atLeast: 2))
    case .multicastCurrent:
      return CombinedFeed(publisher: upstream.multicast { CurrentValueSubject<Int, P.Failure>(-1) }.autoconnect())
    case .connectedLater:
      let connectable = upstream.multicast(subject: Subject())
      var connections: [any Cancellable] = []
      return CombinedFeed(publisher: connectable) { connections.append(connectable.connect()) }
    case .replay: return CombinedFeed(publisher: upstream.share(replay: 1))
    case .replayKeeping:
      return CombinedFeed(publisher: upstream.share(replay: 1, keepingFor: 1, scheduler: scheduler))
    case .keeping: return CombinedFeed(publisher: upstream.share(keepingFor: 1, scheduler: scheduler))
    case .bounded: return CombinedFeed(publisher: upstream.share(buffering: .bounded(1)))
    case .newest: return CombinedFeed(publisher: upstream.share(buffering: .newest(2)))
    case .oldest: return CombinedFeed(publisher: upstream.share(buffering: .oldest(2)))
    case .unbounded: return CombinedFeed(publisher: upstream.share(buffering: .unbounded))
    case .multicastIn: return CombinedFeed(publisher: upstream.multicast { $0 })
    case .multicastInUnbounded: return CombinedFeed(publisher: upstream.multicast(buffering: .unbounded) { $0 })
    }
  }

  /// Only a publisher that cannot fail can be made connectable.
  private func connectable<P: Publisher>(_ upstream: P) -> any Publisher<Int, P.Failure> where P.Output == Int {
    upstream.materialize().makeConnectable().autoconnect().dematerialize()
  }
}

/// A publisher that is shared, or not, and then combined.
struct CombinedSource<Failure: Error>: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let make: @Sendable () -> CombinedFeed<Failure>

  init(_ name: String, _ sharing: Sharing = .plain, _ make: @escaping @Sendable () -> CombinedFeed<Failure>) {
    testDescription = sharing == .plain ? name : "\(name), \(sharing)"
    self.make = {
      let feed = make()
      let shared = sharing.share(feed.publisher)
      return CombinedFeed(publisher: shared.publisher) {
        shared.later()
        feed.later()
      }
    }
  }

  init(
    _ name: String, _ sharing: Sharing = .plain, of publisher: @escaping @Sendable () -> any Publisher<Int, Failure>
  ) {
    self.init(name, sharing) { CombinedFeed(publisher: publisher()) }
  }

  init<S: Subject<Int, Failure> & SendableMetatype>(
    _ name: String, _ sharing: Sharing = .plain,
    sending completion: @escaping @Sendable () -> Subscribers.Completion<Failure>,
    to subject: @escaping @Sendable () -> S
  ) {
    self.init(name, sharing) {
      let subject = subject()
      return CombinedFeed(publisher: subject) {
        for value in [7, 8] { subject.send(value) }
        subject.send(completion: completion())
      }
    }
  }
}

extension CombinedSource<Never> {
  static var all: [CombinedSource] {
    let sequences = Sharing.allCases.map { CombinedSource("sequence", $0, of: { [1, 2, 3].publisher }) }
    let justs = [Sharing.plain, .share, .keeping, .bounded, .multicastIn].map {
      CombinedSource("Just", $0, of: { Just(1) })
    }
    let subjects = [Sharing.plain, .share, .newest, .replay].map {
      CombinedSource("subject", $0, sending: { .finished }) { PassthroughSubject<Int, Never>() }
    }
    return sequences + justs + subjects + [
      CombinedSource("CurrentValueSubject", sending: { .finished }) { CurrentValueSubject<Int, Never>(1) },
      CombinedSource("ReplaySubject", sending: { .finished }) {
        let subject = ReplaySubject<Int, Never>(capacity: 2)
        for value in 1...3 { subject.send(value) }
        return subject
      },
      CombinedSource("CurrentValueRelay") {
        let relay = CurrentValueRelay(1)
        return CombinedFeed(publisher: relay) { for value in [7, 8] { relay.accept(value) } }
      },
      CombinedSource("Empty", of: { Empty() }),
      CombinedSource("Optional", of: { Optional(1).publisher }),
    ]
  }
}

extension CombinedSource<TestError> {
  static var all: [CombinedSource] {
    let shared = [Sharing.plain, .share, .replay, .keeping, .bounded].map { sharing in
      CombinedSource("sequence and failure", sharing) {
        CombinedFeed(publisher: Publishers.Sequence<[Int], TestError>(sequence: [1, 2]).append(Fail(error: .oops)))
      }
    }
    return shared + [
      CombinedSource("Fail", of: { Fail(error: .oops) }),
      CombinedSource("failing subject", .keeping, sending: { .failure(.oops) }) {
        PassthroughSubject<Int, TestError>()
      },
    ]
  }
}
