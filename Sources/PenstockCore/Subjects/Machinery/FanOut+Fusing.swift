// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension FanOut {
  /// Attaches what a target delivers to: a subscriber in the member itself, if the target allows that.
  ///
  /// - Parameters:
  ///   - publisher: The publisher to which the target subscribes otherwise.
  ///   - source: The object that keeps the fan-out alive; usually the publisher.
  ///   - name: The text that `print()` prints for the subscription.
  @inlinable @inline(__always)
  package func fuse<P: Publisher, Target: _FusionTarget>(
    _ publisher: P, into target: Target, of source: some FanOutSource, name: String
  ) -> Target.Answer where P.Output == Output, P.Failure == Failure, Target.Input == Output, Target.Failure == Failure {
    guard target._resides, target._isReady else { return target._subscribe(to: publisher) }
    let member = FanOutMember(target._makeResident(), of: self, source: source, name: name)
    attach(resident: member, of: source)
    return target._answer(member)
  }
}
