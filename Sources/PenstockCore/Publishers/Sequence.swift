// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publishers {
  /// A publisher of the elements of a sequence.
  ///
  /// **Demand:** an element goes out only when asked for, and only one is fetched ahead, so endless sequences work.
  /// `request(.none)` is accepted and does nothing.
  ///
  /// **Completion:** `.finished` follows the last element at once, without further demand.
  ///
  /// **Concurrency:** elements are delivered on the thread that requests them. A request from another thread, or from
  /// inside a delivery, adds to the demand of the loop that is running.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    public typealias Output = Elements.Element

    /// The sequence to deliver.
    ///
    /// Every subscriber gets an iterator of its own.
    public let sequence: Elements

    /// Makes a publisher of the elements of a sequence.
    ///
    /// - Parameter sequence: The sequence.
    @inlinable
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      attachSequence(
        sequence, ending: .finished, nameAfterEnd: "Sequence",
        mirrored: { [("sequence", $0 ?? [Elements.Element]())] }, to: subscriber)
    }
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
  @inlinable
  public var publisher: Publishers.Sequence<Self, Never> {
    Publishers.Sequence(sequence: self)
  }
}
