// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The state of a link of a running stream, as far as the link keeps it anyway.
@usableFromInline
package struct LinkState {
  package enum Phase: Sendable {
    /// Upstream's subscription has not arrived.
    case awaiting
    case active
    case ended
  }

  /// The event that a link waits for, if that is neither a value of its one upstream nor demand.
  package enum Wait: Sendable {
    /// Values of these upstreams, by index; the other upstreams have delivered theirs.
    case upstreams([Int])
    /// The end of an inner stream: the maximum number run.
    case limit(running: Int)
    /// A block that has been scheduled and has not run.
    case scheduler
    /// A date, so far away; a negative time has passed since.
    case date(in: Duration)
    /// The next attempt, by number, and how many there are at most.
    case attempt(Int, of: Int?, in: Duration)
    /// A result that is not known yet.
    case result
    /// The end of its upstream, at which it delivers its result.
    case end
    /// As many more values as make up a group.
    case group(more: Int)
    /// A signal of another publisher, until which it drops values.
    case signal
    /// Values of inner publishers.
    case inner(Int)
  }

  /// Why values have been dropped.
  @usableFromInline
  package enum DropReason: Sendable {
    /// Nothing was requested, and nothing keeps them.
    case withoutDemand
    case bufferFull
    /// A newer value has taken the place of one that waited.
    case replaced
    /// The stream was over before they were delivered.
    case ended
    /// They came after the end.
    case late
  }

  /// A publisher that has several subscribers, and to which a link belongs.
  package struct Hub {
    package let name: String
    /// The objects that feed it, if any do.
    package let upstreams: [AnyObject]
    /// The object that distributes the values.
    package let engine: ObjectIdentifier

    package init(name: String, upstreams: [AnyObject], engine: ObjectIdentifier) {
      (self.name, self.upstreams, self.engine) = (name, upstreams, engine)
    }
  }

  /// The text that `print()` prints for the link.
  package var name = ""
  /// The name that the user has given.
  package var label: Label?
  package var phase = Phase.active
  /// The demand that downstream has requested and that is not met; `nil` if the link forwards requests and counts
  /// nothing.
  package var demand: Subscribers.Demand?
  /// A number that changes as signals pass: how often downstream has requested, or how often a value has come and gone.
  ///
  /// Without it a link that is found full each time would seem to stand still.
  package var moves: UInt = 0
  /// The number of values it keeps for downstream; `nil` if that is not known, or if it never keeps any.
  package var waiting: Int?
  /// The maximum number of values it keeps.
  package var capacity: Int?
  package var wait: Wait?
  /// The numbers of values it has dropped, by reason; without those that are zero.
  package var drops: [(reason: DropReason, count: UInt)] = []
  /// The links directly upstream, each with its role if there are several.
  package var upstreams: [(role: String?, object: AnyObject)] = []
  package var hub: Hub?
  /// The subscriber that a source keeps until the end; other links leave it `nil`.
  package var downstream: (any KeptSubscriber)?
  /// The children that a mirror of a source shows before the demand, if not the subscriber.
  package var mirrored: [(label: String?, value: Any)]?
  /// Operators that keep nothing between this link and the next object downstream, in the order in which values pass them.
  package var passed = PassedLinks()
  /// Whether it is an erasure, which only adds its ``passed`` links to those of the link with ``erasedNumber``.
  package var isErasure = false
  package var erasedNumber: UInt64 = 0
  /// Its own counts, whether other links count or not.
  package var record: LinkRecord?
  /// What keeps the latest signals with texts of their values, where the user has asked for that; only the inspector knows
  /// its type.
  package var described: AnyObject?
  /// Whether it only forwards signals, to the one link upstream of it, and is no link of its own in a picture of the stream:
  /// its operator is among the ``passed`` links of that one.
  package var isForwarding = false
  /// Whether it is the end of a chain: there is nothing downstream.
  package var isEnd = false
  /// Whether a thread is inside one of its deliveries.
  package var isDelivering = false
  /// Whether the object to which an end assigns has been freed.
  package var hasLostObject = false
  /// Whether it is an end that feeds a subject.
  package var isFeed = false
  /// The object that distributes the values of the subject that it feeds.
  package var fedEngine: ObjectIdentifier?
  /// The link directly downstream, if that has no subscription yet.
  package var awaitedBy: (any InspectableLink)?
  /// Whether it requests values at this moment; `nil` if only its upstream knows.
  package var isAsking: Bool?
  /// Whether it can deliver values of its own as soon as they are requested.
  package var hasValuesAtHand = false

  package init() {}

  /// Adds an upstream, if there is one.
  package mutating func add(_ upstream: (any InspectableLink)?, role: String? = nil) {
    if let upstream { upstreams.append((role, upstream)) }
  }

  package mutating func drop(_ count: UInt, _ reason: DropReason) {
    if count > 0 { drops.append((reason, count)) }
  }

  /// A name with the place in the source where it was given.
  @usableFromInline
  package struct Label: Sendable {
    @usableFromInline package let text: String
    @usableFromInline package let file: StaticString
    @usableFromInline package let line: UInt

    @_alwaysEmitIntoClient
    package init(_ text: String, file: StaticString, line: UInt) {
      self.text = text
      self.file = file
      self.line = line
    }
  }
}

extension LinkState.Phase {
  /// The phase of a ledger, which is closed at the end.
  package init(isClosed: Bool) { self = isClosed ? .ended : .active }
}
