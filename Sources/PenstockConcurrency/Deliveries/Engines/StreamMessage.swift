// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A message for a stream, as a closure makes it for a value.
///
/// ```swift
/// let message = StreamMessage(Array("tea".utf8), id: "order-7", headers: ["table": "4"])
/// print(message.payload.count, message.id ?? "none")
/// // Prints "3 order-7"
/// ```
public struct StreamMessage<Payload: Sendable>: Sendable {
  /// The value that is published.
  public var payload: Payload
  /// A name for the message, by which its stream keeps it once within a time; `nil` for none.
  public var id: String?
  /// The headers that are published with it, by name.
  public var headers: [String: String]

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - payload: The value that is published.
  ///   - id: A name for the message, such as the number of the order that it is about.
  ///   - headers: The headers that are published with it.
  public init(_ payload: Payload, id: String? = nil, headers: [String: String] = [:]) {
    self.payload = payload
    self.id = id
    self.headers = headers
  }
}

extension StreamMessage: Equatable where Payload: Equatable {}
extension StreamMessage: Hashable where Payload: Hashable {}

/// The counts of the values of a ``StreamSubscriber``.
public struct StreamCounts: Sendable, Hashable {
  /// The number of values that have been received.
  public var received = 0
  /// The number of values that are on their way.
  public var inFlight = 0
  /// The number of values that the stream has confirmed, including duplicates.
  public var confirmed = 0
  /// The number of values that the stream had before, by their ids.
  public var duplicates = 0
  /// The number of values that have not been kept, or not for certain.
  public var failed = 0

  /// Creates counts that are all zero.
  public init() {}
}
