// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type-erased cancellable that cancels when it is deallocated.
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
/// **Concurrency:** cancels once, on whichever thread calls first. `Sendable` covers its own state only. Its closure
/// runs on the thread that cancels, and only an actor-isolated closure is checked, at run time: see
/// <doc:InPlaceOfCombine>.
public final class AnyCancellable: Cancellable, Hashable, Sendable {
  @usableFromInline internal let once = OneShot()

  /// The action that stops the activity, until it has been called.
  ///
  /// `exclusivity(unchecked)` and `nonisolated(unsafe)` are sound because only the caller that takes ``once`` accesses
  /// this.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) internal var stop: (() -> Void)?

  /// Creates a cancellable that calls a closure once.
  ///
  /// - Parameter cancel: The closure, which is released after the call.
  @inlinable
  public init(_ cancel: @escaping () -> Void) {
    stop = cancel
  }

  /// Wraps a cancellable, which is released after the cancel.
  ///
  /// - Parameter canceller: The cancellable to wrap.
  @inlinable
  public convenience init<C: Cancellable>(_ canceller: C) {
    // A closure made here, where the type may be concrete, calls specialised code.
    self.init({ canceller.cancel() })
  }

  deinit {
    // Taken out here, too, which counts one reference less.
    if once.isUntaken { stop.take()?() }
  }

  /// Cancels the activity, unless it has been cancelled before.
  public func cancel() {
    // Taken out first, so that it is released after its run.
    if once.take() { stop.take()?() }
  }

  /// Returns whether two references are to the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
    lhs === rhs
  }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension AnyCancellable {
  /// Stores this object in a collection.
  ///
  /// - Parameter collection: The collection to append to.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Stores this object in a set.
  ///
  /// - Parameter set: The set to insert into.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }
}
