// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type that delivers to many subscribers, its ``FanOutMember``s.
///
/// A final class that contains the members and a ``SerialQueue``, through which all actions on them pass: a member
/// knows the class only by its ``FanOutCalls``. The engine may be in another module.
@usableFromInline
package protocol FanOutEngine: AnyObject {
  /// The calls that the members make.
  var calls: FanOutCalls { get }

  /// The members; accessed only by the owner of the loop.
  var members: FanOutMembers { get set }

  /// Called when a member has requested values and had no demand before; only if the engine repeats values.
  func serve(_ member: FanOutMember)

  /// Called when a member has cancelled: removes it, in the order of the queue.
  func remove(cancelled member: FanOutMember)

  /// Takes the snapshot for a member whose introduction the owner of the loop has begun and another thread's call is to
  /// end; called by the owner, only if a member gets values that were sent before it joined.
  func takeSnapshot(for member: FanOutMember, _ introduction: Introduction)

  /// Whether a signal that was queued is being performed; for the owner of the loop.
  var isDraining: Bool { get }

  /// Whether a member has not had the latest value, for engines that keep it.
  func hasUnseen(_ member: FanOutMember) -> Bool
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
    case lookIfUnseen(UnsafeMutablePointer<Bool>)
  }

  /// The values that a member may still receive of those that were sent before it requests.
  @usableFromInline
  package enum Repeats: Sendable {
    case nothing
    /// The latest value, with a request. A value that has been skipped for lack of demand waits for the next request.
    case latest
    /// All values since the member joined, as soon as there is demand.
    case kept
    /// All values that the member has not seen, as soon as there is demand.
    case all

    /// Whether a member gets values that were sent before it joined, which subscribing delivers.
    internal var presents: Bool { self == .latest || self == .all }

    /// Whether values wait for demand.
    internal var keepsValues: Bool { self == .kept || self == .all }
  }

  @usableFromInline package let repeats: Repeats
  @usableFromInline internal let perform: (AnyObject, FanOutMember, Call) -> Void

  @_alwaysEmitIntoClient @inline(__always)
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
      case .lookIfUnseen(let answer): answer.pointee = Self.look(at: member, in: engine)
      }
    }
  }

  /// A function of its own: a tool asks, and the lock would cost each cancel registers.
  @inlinable @inline(never)
  internal static func look(at member: FanOutMember, in engine: some FanOutEngine) -> Bool { engine.hasUnseen(member) }
}

extension FanOutEngine {
  /// The default for an engine whose members get no values that were sent before they joined.
  @_alwaysEmitIntoClient
  package func takeSnapshot(for member: FanOutMember, _ introduction: Introduction) {}

  /// The default for an engine that keeps the values that it delivers, and gives them to each member in a loop of the
  /// member's own.
  @_alwaysEmitIntoClient
  package var isDraining: Bool { false }

  @_alwaysEmitIntoClient
  package func hasUnseen(_ member: FanOutMember) -> Bool { false }

  /// Discards members that have been removed.
  ///
  /// Called by the owner of the loop, not during a delivery. A member may release an object of the user's, which may
  /// remove other members.
  @inlinable
  package func discardRemoved() {
    while let member = members.takeRemoved() {
      member._withUnsafeGuaranteedRef { $0.discardInTurn() }
      member.release()
    }
    members.closeGaps()
  }
}
