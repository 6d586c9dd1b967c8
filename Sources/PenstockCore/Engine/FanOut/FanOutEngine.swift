// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that delivers to many subscribers, its ``FanOutMember``s.
///
/// A final class that contains the members and a ``SerialQueue``, through which all actions on them pass: a member
/// knows the class only by its ``FanOutCalls``. The module need not be this one.
@usableFromInline
package protocol FanOutEngine: AnyObject {
  /// The calls that the members make.
  var calls: FanOutCalls { get }

  /// The members; accessed only by the owner of the loop.
  var members: FanOutMembers { get set }

  /// Called when a member has requested values and had no demand before; only if the engine repeats values.
  func serve(_ member: FanOutMember)

  /// Called when a member has cancelled: removes it, in its turn.
  func remove(cancelled member: FanOutMember)

  /// Takes the snapshot for a member whose introduction the owner of the loop has begun and another thread's call is
  /// to end; called by the owner, only if a member gets values that were there before it.
  func takeSnapshot(for member: FanOutMember, _ introduction: Introduction)

  /// Whether a signal that was queued is being performed; for the owner of the loop.
  var isDraining: Bool { get }
}

/// The calls of a ``FanOutMember`` to its ``FanOutEngine``.
///
/// A closure made where the types of the engine are concrete; see ``BaseSubscription``.
@usableFromInline
package struct FanOutCalls {
  @usableFromInline
  internal enum Call {
    case serve
    case remove
    case takeSnapshot(Introduction)
    case lookIfDraining(UnsafeMutablePointer<Bool>)
  }

  /// Which values that have been sent before it requests a member may still receive.
  @usableFromInline
  package enum Repeats: Sendable {
    case nothing
    /// The latest value, with a request. One that has been skipped for lack of demand waits for the next request.
    case latest
    /// All that have come since it joined, as soon as there is demand.
    case kept
    /// All that it has not seen, as soon as there is demand.
    case all

    /// Whether a member gets values that were there before it, which subscribing delivers.
    internal var presents: Bool { self == .latest || self == .all }

    /// Whether values wait for demand.
    internal var keepsValues: Bool { self == .kept || self == .all }
  }

  @usableFromInline package let repeats: Repeats
  @usableFromInline internal let perform: (AnyObject, FanOutMember, Call) -> Void

  @inlinable @inline(__always)
  package init<Engine: FanOutEngine>(of engine: Engine.Type, repeats: Repeats) {
    self.repeats = repeats
    perform = { object, member, call in
      // Each member makes its calls with the engine that it was created for.
      let engine = unsafeDowncast(object, to: Engine.self)
      switch call {
      case .serve: engine.serve(member)
      case .remove: engine.remove(cancelled: member)
      case .takeSnapshot(let introduction): engine.takeSnapshot(for: member, introduction)
      case .lookIfDraining(let answer): answer.pointee = engine.isDraining
      }
    }
  }
}

extension FanOutEngine {
  /// For an engine of whose values a member gets none that were there before it.
  @inlinable
  package func takeSnapshot(for member: FanOutMember, _ introduction: Introduction) {}

  /// For an engine that keeps what it delivers, and gives it to each member in a loop of the member's own.
  @inlinable
  package var isDraining: Bool { false }

  /// Discards members that have been removed.
  ///
  /// Called by the owner of the loop, not during a delivery. What a member releases may be the user's, and remove
  /// others.
  @inlinable
  package func discardRemoved() {
    while let member = members.takeRemoved() {
      member._withUnsafeGuaranteedRef { $0.discardInTurn() }
      member.release()
    }
    members.closeGaps()
  }
}
