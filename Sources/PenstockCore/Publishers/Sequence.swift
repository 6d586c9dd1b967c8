// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publishers {
  /// A publisher of the elements of a sequence.
  ///
  /// **Demand:** elements are delivered as they are requested, and only one is fetched ahead, so endless sequences
  /// work. `request(.none)` is accepted and has no effect.
  ///
  /// **Completion:** `.finished` follows the last element at once, without further demand.
  ///
  /// **Failure:** none; the publisher never fails.
  ///
  /// **Concurrency:** elements are delivered on the thread that requests them. A request from another thread, or during
  /// a delivery, adds to the demand of the delivery in progress.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Elements.Element, Never>

    /// The sequence of elements to deliver.
    ///
    /// Every subscriber receives the elements of a new iterator.
    public let sequence: Elements

    /// Creates a publisher of the elements of a sequence.
    ///
    /// - Parameter sequence: The sequence to deliver.
    @_alwaysEmitIntoClient
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attachSequence(
        sequence, ending: .finished, nameAfterEnd: "Sequence",
        mirrored: { [("sequence", $0 ?? [Elements.Element]())] }, to: subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    public static var _offer: _Offer { isQuiet(Elements.Iterator.self) ? .elements : .nothing }

    @_alwaysEmitIntoClient @inline(__always)
    public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
    where Target.Input == Self.Output, Target.Failure == Failure {
      guard isQuiet(Elements.Iterator.self), Target._traits.takesElements, target._isReady else {
        return target._subscribe(to: self)
      }
      return target._receive(sequence, ending: Subscribers.Completion.finished)
    }

    /// The subscriber is erased, so that the loop over the elements is compiled once for each type of sequence, not for
    /// each pipeline.
    @_alwaysEmitIntoClient @inline(__always)
    public func _subscribe<S: _TurnSubscriber>(inTurn subscriber: S)
    where Failure == S.Failure, Self.Output == S.Input {
      subscribe(erased: subscriber._erased)
    }

    @inlinable @inline(never)
    internal func subscribe(erased subscriber: AnySubscriber<Self.Output, Failure>) { subscribe(subscriber) }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Publishers.Sequence: Sendable where Elements: Sendable {}

extension Swift.Sequence {
  /// A publisher of the elements of this sequence.
  ///
  /// ```swift
  /// let cancellable = (1...3).publisher.sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``Publishers/Sequence``.
  @_alwaysEmitIntoClient
  public var publisher: Publishers.Sequence<Self, Never> {
    Publishers.Sequence(sequence: self)
  }
}
