// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The part that is particular to an operator of the steered shape, which has a main upstream, whose values it
/// transforms, and a controlling one, whose values are *signals*.
///
/// A stage is a structure, and each subscription gets a copy. Its methods may mutate it: both upstreams are serialised,
/// and no method is called while another one is running, even if that one calls a closure of the user's that sends.
/// Such a signal waits until the output has been delivered.
@usableFromInline
package protocol SteeredStage<Input, Output, Failure> {
  associatedtype Input
  associatedtype Output
  associatedtype Failure: Error
  associatedtype Signal
  associatedtype SignalFailure: Error

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// The name of the operator's method, for the messages of traps.
  static var method: String { get }

  static var rules: SteeredRules { get }

  /// Delivers a value of the main upstream as it is; see ``PassingStage``.
  ///
  /// - Returns: The demand that downstream has returned; `nil` if values go to ``receive(_:)`` instead.
  static func deliver(_ input: Input, to downstream: EmbeddingSubscription) -> Subscribers.Demand?

  /// Decides what to do with a value of the main upstream.
  mutating func receive(_ input: Input) -> Verdict<Output, Failure>

  /// Decides what to do with a signal; `.skip` requests one more signal.
  mutating func receive(signal: Signal) -> Verdict<Output, Failure>

  /// Decides what to do when the signals have ended.
  mutating func receive(signalCompletion: Subscribers.Completion<SignalFailure>) -> Verdict<Output, Failure>

  /// The value that waits for a signal until the next value replaces it.
  var waiting: Input? { get }

  /// Returns the output that precedes `.finished`; called once, and after it only ``discard()`` is called.
  mutating func takeRest() -> Output?

  /// Makes one output of the kept output and the next one, for ``SteeredRules/DemandPolicy/whileUnmet``.
  static func join(_ output: Output, to kept: inout Output)

  /// Reports the value that waits for a signal, when the stream is over.
  func noteWaiting(in link: BaseSubscription)

  /// Reports an output that was kept, when the stream is over.
  static func noteKept(_ output: Output, in link: BaseSubscription)

  /// Frees the values that the stage keeps; called once, when the stream is over.
  mutating func discard()
}

extension SteeredStage {
  @_alwaysEmitIntoClient
  package static func deliver(_ input: Input, to downstream: EmbeddingSubscription) -> Subscribers.Demand? { nil }

  @_alwaysEmitIntoClient
  package static var method: String { name }

  @_alwaysEmitIntoClient
  package var waiting: Input? { nil }

  @_alwaysEmitIntoClient
  package mutating func takeRest() -> Output? { nil }

  @_alwaysEmitIntoClient
  package static func join(_ output: Output, to kept: inout Output) {
    trap(.brokenInvariant("an operator that joins outputs does not say how"))
  }

  @inlinable
  package func noteWaiting(in link: BaseSubscription) {
    if let waiting { link.noteDiscard(waiting, .ended) }
  }

  @_alwaysEmitIntoClient
  package static func noteKept(_ output: Output, in link: BaseSubscription) { link.noteDiscard(output, .ended) }

  @_alwaysEmitIntoClient
  package mutating func discard() {}
}

/// A steered stage that delivers every value of the main upstream as it is.
///
/// It makes no verdict for each value, into which the value would be copied.
@usableFromInline
package protocol PassingStage: SteeredStage where Output == Input {}

extension PassingStage {
  @inlinable
  package static func deliver(_ input: Input, to downstream: EmbeddingSubscription) -> Subscribers.Demand? {
    downstream.deliver(value: input)
  }

  @inlinable
  package func receive(_ input: Input) -> Verdict<Input, Failure> { .emit(input) }
}

extension Verdict {
  /// The verdict that completes the stream as an upstream has completed.
  @inlinable
  package static func complete(_ completion: Subscribers.Completion<Failure>) -> Self {
    switch completion {
    case .finished: .finish
    case .failure(let failure): .fail(failure)
    }
  }
}

/// How an operator of the steered shape treats its upstreams.
@usableFromInline
package struct SteeredRules: Sendable {
  /// How downstream's demand reaches the main upstream.
  @usableFromInline
  package enum DemandPolicy: Sendable {
    /// Demand is forwarded: each output takes the place of one value of the main upstream.
    case forwarded
    /// Unlimited values are requested, and outputs are counted. An output without demand is dropped.
    case countedDropping
    /// Unlimited values are requested, and outputs are counted. The latest output without demand is kept for the next
    /// request; a completion waits after it.
    case countedKeeping
    /// One value is requested at a time, while downstream's demand is not met; unlimited values once downstream's demand
    /// is unlimited. Outputs are counted. An output without demand is kept for the next request, and further outputs
    /// are joined to it. `.finished` waits after it, and after what is left in the stage; a failure does not.
    case whileUnmet
  }

  @usableFromInline internal var demand: DemandPolicy
  /// The demand that is requested from the controlling upstream.
  @usableFromInline internal var signals: Subscribers.Demand
  /// Whether the controlling upstream is subscribed to before the main one.
  @usableFromInline internal var subscribesToSignalsFirst: Bool
  /// Whether downstream gets its subscription before the upstreams are subscribed to; otherwise when the main
  /// upstream's subscription arrives.
  @usableFromInline internal var introducesFirst: Bool
  /// Whether values and completions of the main upstream count before its subscription; otherwise they are ignored.
  @usableFromInline internal var acceptsEarlySignals: Bool
  /// Whether values of the main upstream are dropped until the first signal.
  ///
  /// Dropping does not enter the loop. A dropped value uses up demand, and one that has not been requested traps.
  @usableFromInline internal var dropsUntilSignal: Bool
  /// Whether the controlling side shares the operator's identity, too.
  @usableFromInline internal var sharesIdentity: Bool
  /// Whether `request(.none)` is accepted; otherwise it traps.
  @usableFromInline internal var acceptsZeroDemand: Bool
  /// Whether upstreams are subscribed to, and cancelled, even if the stream is over by then.
  @usableFromInline internal var subscribesAfterEnd: Bool

  @_alwaysEmitIntoClient
  package init(
    demand: DemandPolicy, signals: Subscribers.Demand = .unlimited, subscribesToSignalsFirst: Bool = true,
    introducesFirst: Bool = true, acceptsEarlySignals: Bool = false, dropsUntilSignal: Bool = false,
    sharesIdentity: Bool = false, acceptsZeroDemand: Bool = false, subscribesAfterEnd: Bool = false
  ) {
    self.demand = demand
    self.signals = signals
    self.subscribesToSignalsFirst = subscribesToSignalsFirst
    self.introducesFirst = introducesFirst
    self.acceptsEarlySignals = acceptsEarlySignals
    self.dropsUntilSignal = dropsUntilSignal
    self.sharesIdentity = sharesIdentity
    self.acceptsZeroDemand = acceptsZeroDemand
    self.subscribesAfterEnd = subscribesAfterEnd
  }

  /// Whether outputs are counted.
  @_alwaysEmitIntoClient
  internal var isCounting: Bool { demand != .forwarded }

  /// Whether upstream is asked only for values from which requested outputs are made.
  @_alwaysEmitIntoClient
  internal var holdsUpstream: Bool { demand == .whileUnmet }
}
