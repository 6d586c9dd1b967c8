// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The fan-out of an ``ObservableObjectPublisher``, which subscribers keep alive instead of the publisher.
///
/// The notifier and its members reference each other. The publisher breaks that cycle when it is freed.
@usableFromInline
package final class ChangeNotifier: FanOutSource, @unchecked Sendable {
  // `@unchecked`: all state is behind the fan-out's loop and locks.

  @usableFromInline internal let fanOut = FanOut<Void, Never>()

  @inlinable
  package init() {}

  @_alwaysEmitIntoClient
  package static var memberName: StaticString { "ObservableObjectPublisher" }

  @_alwaysEmitIntoClient
  package static var countsDemand: Bool { false }

  @usableFromInline
  package func demandRose() {}

  @inlinable
  package func notify() { fanOut.send(()) }

  @_alwaysEmitIntoClient
  package func attach<S: Subscriber>(_ subscriber: S) where S.Input == Void, S.Failure == Never {
    fanOut.attach(FanOutMember.make(subscriber, of: fanOut, source: self))
  }
}
