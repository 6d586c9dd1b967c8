// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The base class of all subscriptions that the library creates.
///
/// An instance of the class itself is the empty subscription: it ignores every call.
///
/// The class is not generic, and neither are the subclasses that implement `request(_:)` and `cancel()`: a generic
/// class is called through tables that hold unspecialised code, which is ten times slower than the same code
/// specialised. Code that depends on types lives in leaf classes, or in closures that are made where the types are
/// concrete and carry the specialised code with them.
@usableFromInline
package class BaseSubscription: _CancellableObject, Subscription {
  /// How far the end of a stream has come, for a subscriber that the subscription keeps.
  @usableFromInline
  package enum Closing: UInt8, AtomicCellValue, Sendable {
    case none
    /// The completion has been or is being delivered: values do not count any more.
    case completed
    /// Nothing counts any more.
    case cancelled
  }

  /// The mark that a ``SinkResident`` reads before it calls a closure; set only by subscriptions that may keep one.
  ///
  /// Relaxed: only changes on the reading thread matter, since other threads run beside the delivery anyway.
  @usableFromInline internal final let closingMark = AtomicCell(Closing.none)

  /// The presence in ``liveLinks``.
  @exclusivity(unchecked) @usableFromInline internal final var enrolment = Enrolment()

  @inlinable
  package override init() {
    super.init()
    enrolment.begin(self)
  }

  deinit { enrolment.end() }

  @_alwaysEmitIntoClient @inline(__always)
  internal final var closing: Closing { closingMark.load(ordering: .relaxed) }

  /// Records that values do not count any more.
  @_alwaysEmitIntoClient
  package final func noteCompletion() {
    if closing == .none { closingMark.store(.completed, ordering: .relaxed) }
  }

  /// Records that nothing counts any more.
  @_alwaysEmitIntoClient
  internal final func noteCancel() { closingMark.store(.cancelled, ordering: .relaxed) }

  @_alwaysEmitIntoClient
  public final var _object: _CancellableObject? { self }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  package override func cancel() {}

  /// Upstream's subscription if it is the library's, for an operator that forwards upstream's deliveries as they come.
  @usableFromInline
  package var upstreamBase: BaseSubscription? { nil }

  /// Keeps the subscriber's introduction open, for an operator that requests only after it has subscribed to all
  /// upstreams.
  ///
  /// Called during the introduction, that is, inside `receive(subscription:)`. Until ``finishJoining()`` is called on
  /// the same thread, the subscriber's requests are served on that thread, and deliveries from other threads wait.
  ///
  /// - Returns: The subscription to call ``finishJoining()`` on; `nil` if none needs it.
  @usableFromInline
  package func deferJoining() -> BaseSubscription? { upstreamBase?.deferJoining() }

  @usableFromInline
  package func finishJoining() {}

  /// Whether values may exceed demand: a publisher upstream does not count demand, and no operator in between buffers.
  ///
  /// Evaluated only after such a value has arrived.
  @usableFromInline
  package var exceedsDemand: Bool { upstreamBase?.exceedsDemand ?? false }

  /// Whether deliveries happen only during a request or during the subscribing call, on the thread that makes it.
  @usableFromInline
  package var deliversWhereAsked: Bool { false }

  /// The subscription that a publisher has delivered, for mirrors: another one than this only if it is a user's.
  @usableFromInline
  package var original: any Subscription { self }

  /// The identifier of this subscription; a wrapper returns that of the subscription it wraps.
  @usableFromInline
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

  /// The text that `print()` prints for the subscription.
  @usableFromInline
  package var description: String { "Empty" }

  package final var linkNumber: UInt64 { enrolment.number }

  /// Shows the subscription's state; see ``InspectableLink``.
  package func show(in link: inout LinkState) {
    link.name = description
    if type(of: self) == BaseSubscription.self { link.phase = .ended }
  }

  /// The value that a playground shows for the subscription: its description, unless it stands for another one.
  package var shownInPlayground: Any { description }

  /// The children that a debugger shows below the description.
  @usableFromInline
  package var mirrorChildren: [(label: String?, value: Any)] { [] }
}

// Not conformances of the class itself: the compiler would emit them again for every generic subclass.
extension BaseSubscription: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  package final var customMirror: Mirror {
    // Not the superclass, which `dump` would show as a line of its own.
    Mirror(self, children: mirrorChildren, ancestorRepresentation: .suppressed)
  }

  @usableFromInline
  package final var playgroundDescription: Any { shownInPlayground }
}

extension BaseSubscription: InspectableLink {}

extension Subscription {
  /// This subscription, if it is one of the library's.
  ///
  /// Equivalent to `as?`, without the run-time lookups of a dynamic cast: where the type is not known, it is one call.
  @_alwaysEmitIntoClient @inline(__always)
  internal var base: BaseSubscription? {
    // No other type than `BaseSubscription` has an object.
    _object.map { unsafeDowncast($0, to: BaseSubscription.self) }
  }
}

extension Subscription {
  /// This subscription, if it is one of the library's; otherwise a wrapper.
  @_alwaysEmitIntoClient @inline(__always)
  package var wrapped: BaseSubscription { base ?? wrap(self) }
}

@usableFromInline
internal func wrap(_ foreign: any Subscription) -> BaseSubscription { ForeignSubscription(foreign) }

/// A subscription that is not one of the library's, in a wrapper that is.
///
/// The library's objects store subscriptions as a ``BaseSubscription``: a word, called through one table. An `any
/// Subscription` takes five words, and is copied and released through a table of its type.
private final class ForeignSubscription: BaseSubscription {
  private let foreign: any Subscription

  init(_ foreign: any Subscription) { self.foreign = foreign }

  override func request(_ demand: Subscribers.Demand) { foreign.request(demand) }

  override func cancel() { foreign.cancel() }

  override var original: any Subscription { foreign }

  /// The original one, if this is a subscription that reports to introspections.
  override var upstreamBase: BaseSubscription? { foreign.untappedBase }

  override var combineIdentifier: CombineIdentifier { foreign.combineIdentifier }

  /// Not its description, which is code of the user's.
  override func show(in link: inout LinkState) {
    link.name = String(describing: type(of: foreign))
    link.upstreams = []
    link.add(upstreamBase)
    link.isForwarding = upstreamBase != nil
  }
}

/// Whether a subscription that does not count demand has ever existed in this process.
///
/// Most processes have none, and skip the search for one.
internal let isDemandUncounted = AtomicCell(false)

extension Subscription {
  /// Whether values may exceed demand, for any subscription; see ``BaseSubscription/exceedsDemand``.
  @usableFromInline
  package var mayExceedDemand: Bool {
    isDemandUncounted.load(ordering: .relaxed) && untappedBase?.exceedsDemand ?? false
  }
}
