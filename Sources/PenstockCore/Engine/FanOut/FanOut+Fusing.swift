// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher whose subscribers are the members of a fan-out of its own.
@usableFromInline
package protocol FanOutPublisher: Publisher, FanOutSource {
  var fanOut: FanOut<Output, Failure> { get }
}

extension FanOutPublisher {
  @usableFromInline
  package var feeds: [AnyObject] { fanOut.upstream.objects }

  @inlinable @inline(__always)
  public static var _offer: _Offer { .chain }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    fanOut.fuse(self, into: target, of: self)
  }
}

extension FanOut {
  /// Attaches the subscriber of a target: in the member itself, if the target allows that.
  ///
  /// - Parameters:
  ///   - publisher: The publisher to which the target subscribes otherwise.
  ///   - source: The object that keeps the fan-out alive; usually the publisher.
  @inlinable @inline(__always)
  package func fuse<P: Publisher, Target: _FusionTarget>(
    _ publisher: P, into target: Target, of source: some FanOutSource
  ) -> Target.Answer where P.Output == Output, P.Failure == Failure, Target.Input == Output, Target.Failure == Failure {
    guard target._resides, Target._traits.endsItself || target._isReady else { return target._subscribe(to: publisher) }
    return Target._answer(attachResident(of: target, source: source))
  }

  /// Attaches the subscriber of a target that resides.
  @inlinable @inline(__always)
  internal func attachResident<Target: _FusionTarget>(
    of target: Target, source: some FanOutSource
  ) -> FanOutMember where Target.Input == Output, Target.Failure == Failure {
    let member = FanOutMember.make(for: Target.Resident.self, of: self, source: source)
    member.embed(target._makeResident(in: .passUnretained(member)))
    attach(resident: member, of: source)
    return member
  }
}
