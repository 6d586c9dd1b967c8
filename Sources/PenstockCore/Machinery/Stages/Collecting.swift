// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The work of an operator of the collecting shape: it receives all values, and has at most one result at the end.
///
/// A final class, because it has state.
@usableFromInline
package protocol CollectingStage<Input, Output>: AnyObject {
  associatedtype Input
  associatedtype Output
  associatedtype Channel: ForwardingChannel

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Receives a value.
  ///
  /// - Returns: Whether the result is final, so that upstream can be cancelled.
  func receive(_ input: Input) throws(Channel.Thrown) -> Bool

  /// The result of a stream without values; `nil` if such a stream ends without a result.
  static var initial: Output? { get }

  /// The result so far; `nil` for a stream that ends without one.
  var result: Output? { get }

  /// The children that a debugger shows for this stage.
  func mirrorChildren(downstream: Any, status: Any) -> [(label: String?, value: Any)]
}

extension CollectingStage {
  @inlinable
  package static var initial: Output? { nil }

  @usableFromInline
  package func mirrorChildren(downstream: Any, status: Any) -> [(label: String?, value: Any)] {
    [
      ("downstream", downstream), ("result", result as Any), ("initial", Self.initial as Any), ("status", status),
    ]
  }
}

/// The untyped half of the collecting shape: the subscription that downstream gets, and the state of the result.
@usableFromInline
package final class CollectingSubscription: BaseSubscription {
  @usableFromInline
  internal enum Progress: Sendable {
    /// Collecting; downstream may have requested already.
    case collecting(requested: Bool)
    /// There is a result, which was not asked for before a thread had downstream introduced: while it has, no other
    /// thread delivers.
    case introducing(UInt, requested: Bool)
    /// There is a result, which was not asked for.
    case holding
    /// The result is being delivered; `.finished` follows unless a cancel comes first.
    case delivering
    /// The stream is over.
    case ended
  }

  @usableFromInline internal let slot = SubscriptionSlot()
  @usableFromInline internal let progress = Guarded(Progress.collecting(requested: false))
  @usableFromInline internal let name: String

  /// Delivers the result and `.finished`.
  ///
  /// Made where the types are concrete.
  @usableFromInline internal let deliver: (CollectingSubscription) -> Void
  @usableFromInline internal let mirrored: (_ status: Any) -> [(label: String?, value: Any)]

  /// Whether downstream is being handed its subscription; belongs to upstream's deliveries.
  @exclusivity(unchecked) @usableFromInline internal var isIntroducing = true

  @inlinable
  internal init(
    name: String, deliver: @escaping (CollectingSubscription) -> Void,
    mirrored: @escaping (Any) -> [(label: String?, value: Any)]
  ) {
    self.name = name
    self.deliver = deliver
    self.mirrored = mirrored
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    let release = progress.withLock { progress in
      switch progress {
      case .collecting:
        progress = .collecting(requested: true)
        return false
      case .introducing(let thread, _) where thread != currentThread():
        progress = .introducing(thread, requested: true)
        return false
      case .holding, .introducing:
        progress = .delivering
        return true
      case .delivering, .ended:
        return false
      }
    }
    if release { deliver(self) }
  }

  /// Cancels; a result that is held is dropped, since no delivery starts after a cancel.
  ///
  /// Combine would still deliver it.
  @usableFromInline
  package override func cancel() {
    if slot.cancel() || slot.phase == .terminal { _ = end() }
  }

  /// Ends the stream: only the caller may deliver after that.
  ///
  /// - Returns: Whether the stream was not over yet.
  @usableFromInline
  internal func end() -> Bool {
    progress.withLock { progress in
      if case .ended = progress { return false }
      progress = .ended
      return true
    }
  }

  /// Called when the result is final: delivers it if it has been requested, and holds it otherwise.
  @usableFromInline
  internal func settle() {
    let release = progress.withLock { progress in
      guard case .collecting(let requested) = progress else { return false }
      progress = requested ? .delivering : isIntroducing ? .introducing(currentThread(), requested: false) : .holding
      return requested
    }
    if release { deliver(self) }
  }

  /// Called when downstream has its subscription.
  @inlinable
  internal func endIntroduction() {
    isIntroducing = false
    if slot.phase == .terminal { settleIntroduction() }
  }

  @usableFromInline
  internal func settleIntroduction() {
    let release = progress.withLock { progress in
      guard case .introducing(_, let requested) = progress else { return false }
      progress = requested ? .delivering : .holding
      return requested
    }
    if release { deliver(self) }
  }

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] { mirrored(slot.phase) }
}

/// The shape of operators that request all values, whatever downstream's demand, and deliver one result when it is
/// final and has been requested.
@usableFromInline
package struct Collecting<Work: CollectingStage, Downstream: Subscriber>: SplitOperator
where Work.Output == Downstream.Input, Work.Channel.Downstream == Downstream.Failure {
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Work.Channel.Upstream

  @usableFromInline internal let stage: Work
  @usableFromInline internal let downstream: Downstream
  @usableFromInline package let subscription: CollectingSubscription

  @inlinable @inline(__always)
  package init(_ stage: Work, to downstream: Downstream) {
    self.stage = stage
    self.downstream = downstream
    subscription = CollectingSubscription(
      name: Work.name,
      deliver: { subscription in
        if let result = stage.result { _ = downstream.receive(result) }
        if subscription.end() { downstream.receive(completion: .finished) }
      },
      mirrored: { stage.mirrorChildren(downstream: downstream, status: $0) })
  }

  @inlinable
  package func receive(subscription upstream: any Subscription) {
    guard subscription.slot.attach(upstream) else { return }
    downstream.receive(subscription: subscription)
    subscription.endIntroduction()
    subscription.slot.request(.unlimited)
  }

  @inlinable
  package func receive(_ input: Work.Input) -> Subscribers.Demand {
    guard subscription.slot.phase == .active else { return .none }
    do throws(Work.Channel.Thrown) {
      if try stage.receive(input), subscription.slot.cancel() { subscription.settle() }
    } catch {
      if subscription.slot.cancel(), subscription.end() {
        downstream.receive(completion: .failure(Work.Channel.raise(error)))
      }
    }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Work.Channel.Upstream>) {
    guard subscription.slot.finish() else { return }
    switch completion {
    case .finished:
      subscription.settle()
    case .failure(let error):
      if subscription.end() { downstream.receive(completion: .failure(Work.Channel.forward(error))) }
    }
  }
}
