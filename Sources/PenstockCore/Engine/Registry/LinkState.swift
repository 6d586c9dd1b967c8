// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What a link of a running stream keeps, as far as it keeps it anyway.
@usableFromInline
package struct LinkState {
  package enum Phase: Sendable {
    /// Upstream's subscription has not arrived.
    case awaiting
    case active
    case ended
  }

  /// What a link waits for that is neither a value of its one upstream nor demand.
  package enum Wait: Sendable {
    /// Values of these upstreams, by index; those of the others are there.
    case upstreams([Int])
    /// The end of an inner stream: as many run as are allowed.
    case limit(running: Int)
    /// A block that has been scheduled and has not run.
    case scheduler
    /// A result that is not known yet.
    case result
  }

  /// Why values have been dropped.
  @usableFromInline
  package enum DropReason: Sendable {
    /// Nothing was asked for, and nothing keeps them.
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
    /// What feeds it, if anything does.
    package let upstreams: [AnyObject]

    package init(name: String, upstreams: [AnyObject]) {
      self.name = name
      self.upstreams = upstreams
    }
  }

  /// What `print()` prints for the link.
  package var name = ""
  /// The name that the user has given.
  package var label: Label?
  package var phase = Phase.active
  /// What downstream has requested and not got; `nil` if the link forwards requests and counts nothing.
  package var demand: Subscribers.Demand?
  /// A number that changes as signals pass: how often downstream has asked, or how often a value has come and gone.
  ///
  /// Without it a link that is full at each look would seem to stand still.
  package var moves: UInt = 0
  /// How many values it keeps for downstream; `nil` if that is not known, or if it never keeps any.
  package var waiting: Int?
  /// How many it keeps at most.
  package var capacity: Int?
  package var wait: Wait?
  /// How many values it has dropped, by reason; none that are zero.
  package var drops: [(reason: DropReason, count: UInt)] = []
  /// The links directly upstream, with what each is to this one, where there are several.
  package var upstreams: [(role: String?, object: AnyObject)] = []
  package var hub: Hub?
  /// The subscriber of a source, which keeps it until the end; other links need not say.
  package var downstream: (any KeptSubscriber)?
  /// What a mirror of a source shows before the demand, if not the subscriber.
  package var mirrored: [(label: String?, value: Any)]?
  /// Operators that keep nothing between this link and the next object downstream, in the order in which values pass them.
  package var passed = PassedLinks()
  /// Whether it is an erasure, which only says what ``passed`` is behind the link at ``erasedPlace``.
  package var isErasure = false
  package var erasedPlace: UInt32 = 0
  /// What it counts by itself, whether others count or not.
  package var record: LinkRecord?
  /// The latest signals with texts of their values, where the user has asked for that; and how many were before them.
  package var described: (signals: [DescribedSignal], earlier: Int)?
  /// Whether it only forwards signals, to the one link upstream of it, and is no link of its own in a picture of the stream:
  /// its operator is among the ``passed`` links of that one.
  package var isForwarding = false
  /// Whether it is the end of a chain: there is nothing downstream.
  package var isEnd = false
  /// Whether it is an end that feeds a subject.
  package var isFeed = false
  /// Whether it asks for values at this moment; `nil` if only its upstream knows.
  package var isAsking: Bool?
  /// Whether values of its own are there as soon as they are requested.
  package var hasValuesAtHand = false

  package init() {}

  /// Adds an upstream, if there is one.
  package mutating func add(_ upstream: (any InspectableLink)?, role: String? = nil) {
    if let upstream { upstreams.append((role, upstream)) }
  }

  package mutating func drop(_ count: UInt, _ reason: DropReason) {
    if count > 0 { drops.append((reason, count)) }
  }

  /// A signal with a text of its value.
  package struct DescribedSignal: Sendable {
    /// `nil` for a completion.
    package let value: String?
    /// Whether it is a failure.
    package let isFailure: Bool
    package let time: ContinuousClock.Instant

    package init(value: String?, isFailure: Bool, time: ContinuousClock.Instant) {
      self.value = value
      self.isFailure = isFailure
      self.time = time
    }
  }

  /// A name with the place in the source where it was given.
  @usableFromInline
  package struct Label: Sendable {
    @usableFromInline package let text: String
    @usableFromInline package let file: StaticString
    @usableFromInline package let line: UInt

    @inlinable
    package init(_ text: String, file: StaticString, line: UInt) {
      self.text = text
      self.file = file
      self.line = line
    }
  }
}

extension LinkState.Phase {
  /// For a ledger, which is closed at the end.
  package init(isClosed: Bool) { self = isClosed ? .ended : .active }
}
