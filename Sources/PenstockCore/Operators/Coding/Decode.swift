// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Decodes each value.
  ///
  /// ![Each JSON becomes an item. What is no JSON cancels upstream, and the output fails.](decode)
  ///
  /// ```swift
  /// struct Point: Decodable { let x, y: Int }
  /// let cancellable = [Data(#"{"x":1,"y":2}"#.utf8)].publisher
  ///   .decode(type: Point.self, decoder: JSONDecoder())
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "Point(x: 1, y: 2)", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error that the decoder throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the decoder is used on the thread that delivers the value.
  ///
  /// Use ``encode(encoder:)`` for the other direction, and ``tryMap(_:)`` for a conversion that needs no decoder.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - decoder: The decoder.
  /// - Returns: A publisher of the decoded values.
  @_alwaysEmitIntoClient
  public consuming func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}

extension Publishers {
  /// A publisher that decodes each upstream value; see ``Publisher/decode(type:decoder:)``.
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher, _DerivedTypes
  where Upstream.Output == Coder.Input {
    public typealias _Origin = Empty<Never, any Error>

    /// The publisher whose values are decoded.
    public let upstream: Upstream

    @usableFromInline internal let decoder: Coder

    /// Creates a publisher that decodes each upstream value.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, decoder: Coder) {
      self.upstream = upstream
      self.decoder = decoder
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> DecodeStage<Output, Coder, Upstream.Failure> {
      DecodeStage(decoder)
    }
  }
}

extension Publishers.Decode: ManagedOperator {}

@frozen
@usableFromInline
internal struct DecodeStage<Output: Decodable, Coder: TopLevelDecoder, Failure: Error>: CodingStage {
  @usableFromInline internal typealias Channel = ThrowingChannel<Failure>

  @usableFromInline internal let decoder: Coder

  @_alwaysEmitIntoClient
  internal init(_ decoder: Coder) {
    self.decoder = decoder
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "Decode" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Coder.Input) throws -> Verdict<Output, Channel.Downstream> {
    .emit(try decoder.decode(Output.self, from: input))
  }
}

extension Publishers.Decode: Sendable where Upstream: Sendable, Coder: Sendable {}
