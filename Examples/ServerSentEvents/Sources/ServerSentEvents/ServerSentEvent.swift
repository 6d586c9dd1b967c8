// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
public import NIOCore

/// An event of a stream that a browser's `EventSource` reads.
///
/// The format is that of the HTML standard, section 9.2, *Server-sent events*.
public struct ServerSentEvent: Hashable, Sendable {
  private let text: String

  /// The event as it is sent.
  public var frame: ByteBuffer { ByteBuffer(string: text + "\n") }

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - name: The name under which a page listens for it. A line break in it stops the process, since it would end the
  ///     field.
  ///   - data: The text of it.
  public init(_ name: String, data: String) {
    precondition(!name.contains(where: \.isNewline), "the name of a server-sent event is one line, but this is \(name)")
    text = "event: \(name)\n" + Self.field("data", data)
  }

  /// Creates an event whose text is a value, as JSON in one line.
  ///
  /// - Throws: The error that `JSONEncoder` throws for the value.
  public init(_ name: String, _ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.init(name, data: String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Creates a comment, which a page ignores: it shows that the connection is alive.
  ///
  /// - Parameter comment: The text of it.
  public init(comment: String) {
    text = Self.field("", comment)
  }

  /// A text of several lines is sent as a field for each.
  private static func field(_ name: String, _ text: String) -> String {
    // JSON is one line, and finding that out with a regular expression took a fifth of a server's time.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
      return "\(name): \(text)\n"
    }
    return text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false).map { "\(name): \($0)\n" }.joined()
  }
}
