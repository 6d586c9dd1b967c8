// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Output: Encodable {
  /// Encodes each value.
  ///
  /// ![Each item becomes the data of its JSON.](encode)
  ///
  /// ```swift
  /// struct Point: Encodable { let x, y: Int }
  /// let cancellable = [Point(x: 1, y: 2)].publisher
  ///   .encode(encoder: JSONEncoder())
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0.count) })
  /// // Prints "13", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error that the encoder throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the encoder is used on the thread that delivers the value.
  ///
  /// Use ``decode(type:decoder:)`` for the other direction, and ``tryMap(_:)`` for a conversion that needs no encoder.
  ///
  /// - Parameter encoder: The encoder.
  /// - Returns: A publisher of the encoded values.
  @_alwaysEmitIntoClient
  public consuming func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> {
    Publishers.Encode(upstream: self, encoder: encoder)
  }
}

extension Publishers {
  /// A publisher that encodes each upstream value; see ``Publisher/encode(encoder:)``.
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher, _DerivedTypes
  where Upstream.Output: Encodable {
    public typealias _Origin = Empty<Coder.Output, any Error>

    /// The publisher whose values are encoded.
    public let upstream: Upstream

    @usableFromInline internal let encoder: Coder

    /// Creates a publisher that encodes each upstream value.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, encoder: Coder) {
      self.upstream = upstream
      self.encoder = encoder
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> EncodeStage<Upstream.Output, Coder, Upstream.Failure> {
      EncodeStage(encoder)
    }
  }
}

extension Publishers.Encode: ManagedOperator {}

@frozen
@usableFromInline
internal struct EncodeStage<Input: Encodable, Coder: TopLevelEncoder, Failure: Error>: CodingStage {
  @usableFromInline internal typealias Channel = ThrowingChannel<Failure>

  @usableFromInline internal let encoder: Coder

  @_alwaysEmitIntoClient
  internal init(_ encoder: Coder) {
    self.encoder = encoder
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "Encode" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws -> Verdict<Coder.Output, Channel.Downstream> {
    .emit(try encoder.encode(input))
  }
}

/// The stage protocol of `encode` and `decode`.
@usableFromInline
internal protocol CodingStage: ManagedStage {}

extension CodingStage {
  @_alwaysEmitIntoClient
  internal static var rules: ManagedRules {
    ManagedRules(earlyValue: .pass, earlyCompletion: .pass, acceptsZeroDemand: true, deliversAfterItsCall: true)
  }

  @usableFromInline
  internal func mirrorChildren(
    downstream: Any, slot: borrowing SubscriptionSlot
  ) -> [(label: String?, value: Any)] {
    [
      ("downstream", downstream), ("finished", slot.phase == .terminal),
      ("upstreamSubscription", slot.current as Any),
    ]
  }
}

extension Publishers.Encode: Sendable where Upstream: Sendable, Coder: Sendable {}
