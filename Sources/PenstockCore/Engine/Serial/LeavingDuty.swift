// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An action that the owner of a loop performs as soon as it has left it; made once, and used again and again.
///
/// It takes its turn among the requests to upstreams.
@usableFromInline
package final class LeavingDuty: DemandTarget {
  /// Unretained, since the operator refers to the duty.
  private var owner: Unmanaged<SerialSubscription>?
  private let perform: (SerialSubscription) -> Void

  /// - Parameter perform: A closure made where the types are concrete.
  @usableFromInline
  package init(_ perform: @escaping (SerialSubscription) -> Void) {
    self.perform = perform
    super.init()
  }

  // Written once, since it is read outside the loop.
  fileprivate func belong(to owner: SerialSubscription) {
    if self.owner == nil { self.owner = .passUnretained(owner) }
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    // Retained, since the duty may take long, and may release everything else that keeps the operator.
    if let owner = owner?.takeUnretainedValue() { perform(owner) }
  }
}

extension SerialSubscription {
  /// Performs a duty as soon as the loop has been left.
  ///
  /// Called by the owner of the loop.
  @usableFromInline
  package final func performLater(_ duty: LeavingDuty) {
    duty.belong(to: self)
    forwardLater(.none, to: duty)
  }
}
