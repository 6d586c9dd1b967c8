// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension FanOut {
  /// Attaches what a target delivers to: a subscriber in the member itself, if the target allows that.
  ///
  /// - Parameters:
  ///   - publisher: The publisher to which the target subscribes otherwise.
  ///   - source: The object that keeps the fan-out alive; usually the publisher.
  @inlinable @inline(__always)
  package func fuse<P: Publisher, Target: _FusionTarget>(
    _ publisher: P, into target: Target, of source: some FanOutSource
  ) -> Target.Answer where P.Output == Output, P.Failure == Failure, Target.Input == Output, Target.Failure == Failure {
    guard target._resides, target._isReady else { return target._subscribe(to: publisher) }
    let member = FanOutMember.make(target._makeResident(), of: self, source: source)
    attach(resident: member, of: source)
    return Target._answer(member)
  }
}
