// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

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
/// **Concurrency:** cancels once, on the thread that calls first. `Sendable` covers its own state only. Its closure
/// runs on the thread that cancels, and only an actor-isolated closure is checked, at run time: see
/// <doc:InPlaceOfCombine>.
public final class AnyCancellable: Cancellable, Hashable, Sendable {
  /// The address of the object that is cancelled, or zero afterwards; owns one reference to it.
  @usableFromInline internal let word: AtomicCell<UInt>

  @_alwaysEmitIntoClient
  internal init(target: _CancellableObject?) {
    word = AtomicCell(target.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0)
  }

  /// Creates a cancellable that calls a closure once.
  ///
  /// - Parameter cancel: The closure, which is released after the call.
  @inlinable
  public convenience init(_ cancel: @escaping () -> Void) {
    self.init(target: ClosureCanceller(cancel))
  }

  /// Wraps a cancellable, which is released after the cancel.
  ///
  /// - Parameter canceller: The cancellable to wrap.
  @inlinable
  public convenience init<C: Cancellable>(_ canceller: C) {
    if C.self is _CancellableObject.Type {
      self.init(target: unsafeDowncast(unsafeBitCast(canceller, to: AnyObject.self), to: _CancellableObject.self))
    } else if C.self is AnyObject.Type {
      // A closure made here, where the type may be concrete, calls specialised code.
      self.init(
        target: ObjectCanceller(unsafeBitCast(canceller, to: AnyObject.self)) { unsafeBitCast($0, to: C.self).cancel() }
      )
    } else {
      self.init(target: ClosureCanceller { canceller.cancel() })
    }
  }

  deinit {
    // Nothing else has access any more.
    guard let address = UnsafeRawPointer(bitPattern: word.load(ordering: .relaxed)) else { return }
    Unmanaged<_CancellableObject>.fromOpaque(address).takeRetainedValue().cancel()
  }

  /// Cancels the activity, unless it has been cancelled before.
  public func cancel() {
    if word.load(ordering: .relaxed) == 0 { return }
    // Taken out first, so that it is released after its run.
    let address = UnsafeRawPointer(bitPattern: word.exchange(0, ordering: .acquiringAndReleasing))
    guard let address else { return }
    Unmanaged<_CancellableObject>.fromOpaque(address).takeRetainedValue().cancel()
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

/// An object whose cancel calls a closure.
@usableFromInline
internal final class ClosureCanceller: _CancellableObject {
  private let stop: () -> Void

  @usableFromInline
  internal init(_ stop: @escaping () -> Void) { self.stop = stop }

  internal override func cancel() { stop() }
}

/// An object that can be cancelled, with a closure that knows its type.
@usableFromInline
internal final class ObjectCanceller: _CancellableObject {
  private let object: AnyObject
  private let stop: (AnyObject) -> Void

  @usableFromInline
  internal init(_ object: AnyObject, _ stop: @escaping (AnyObject) -> Void) {
    self.object = object
    self.stop = stop
  }

  internal override func cancel() { stop(object) }
}
