// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A cancellable whose type has been forgotten, and which cancels when it is freed.
///
/// ```swift
/// let subject = PassthroughSubject<Int, Never>()
/// var cancellable: AnyCancellable? = subject.sink { print($0) }
/// subject.send(1)
/// cancellable = nil
/// subject.send(2)
/// // Prints "1"
/// ```
///
/// **Concurrency:** cancels once, whichever thread comes first. That it is `Sendable` says only that its own state is
/// safe: what it stops may run closures that are not.
public final class AnyCancellable: Cancellable, Hashable, Sendable {
  /// What is to be cancelled, until it has been.
  private let target: Guarded<(any Cancellable)?>

  /// Makes a cancellable that runs a closure, once.
  ///
  /// - Parameter cancel: The closure, which is freed when it has run.
  public init(_ cancel: @escaping () -> Void) {
    target = Guarded(CancelClosure(run: cancel))
  }

  /// Wraps a cancellable, which is freed when it has been cancelled.
  ///
  /// - Parameter canceller: The cancellable.
  public init<C: Cancellable>(_ canceller: C) {
    target = Guarded(canceller)
  }

  deinit {
    cancel()
  }

  /// Stops the activity, unless that has happened.
  public func cancel() {
    // Taken out first, so that a cancel from inside of it finds nothing left to do.
    target.withLock { $0.take() }?.cancel()
  }

  /// Whether two references are to the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
    lhs === rhs
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension AnyCancellable {
  /// Stores this very object in a collection.
  ///
  /// - Parameter collection: The collection to append to.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Stores this very object in a set.
  ///
  /// - Parameter set: The set to insert into.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }
}

/// The closure of ``AnyCancellable/init(_:)`` as a cancellable.
private struct CancelClosure: Cancellable {
  let run: () -> Void

  func cancel() { run() }
}
