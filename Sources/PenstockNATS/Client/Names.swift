// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The rules for texts that become part of the protocol's lines.
  ///
  /// The C client checks none of this, and the protocol is text: a subject with a line break in it ends the line, and
  /// what follows is the next command.
  internal enum Names {
    /// Lines of the protocol have a limit of 4,096 bytes by default, which two subjects have to share with numbers.
    internal static let maxSubjectLength = 1_500
    internal static let maxNameLength = 255

    /// Checks a subject that something is published to, or a reply.
    internal static func check(subject: String) throws(NATSError) {
      try check(tokensOf: subject, as: "subject", allowingWildcards: false)
    }

    /// Checks a subject that is subscribed to, or a filter.
    internal static func check(pattern: String) throws(NATSError) {
      try check(tokensOf: pattern, as: "subject", allowingWildcards: true)
    }

    /// Checks the name of a stream, a consumer or a bucket.
    internal static func check(name: String, of thing: String) throws(NATSError) {
      for byte in name.utf8 where byte <= 0x20 || byte == 0x7F || #".*>/\"#.utf8.contains(byte) {
        throw invalid(thing, name, "a name has no dots, wildcards, slashes, spaces or control characters")
      }
      if name.isEmpty { throw invalid(thing, name, "a name has at least one character") }
      if name.utf8.count > maxNameLength { throw invalid(thing, name, "a name has up to \(maxNameLength) bytes") }
    }

    internal static func check(queue: String) throws(NATSError) {
      if queue.isEmpty || queue.utf8.count > maxNameLength || queue.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
        throw invalid(
          "queue group", queue, "a group has 1 to \(maxNameLength) bytes, without spaces and control characters")
      }
    }

    internal static func check(headers: [String: [String]]) throws(NATSError) {
      for (name, values) in headers {
        if values.isEmpty { throw invalid("header", name, "a header has one value or more") }
        if name.isEmpty || name.utf8.contains(where: { !(0x21...0x7E).contains($0) || $0 == UInt8(ascii: ":") }) {
          throw invalid("header name", name, "a name is printable ASCII without spaces and colons")
        }
        if values.contains("") {
          // Its parser takes the text that follows for a broken protocol, and loses the headers after it.
          throw invalid(
            "value of the header \(name)", "", "a value has at least one character, or the C client can't read it")
        }
        for value in values where value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) {
          throw invalid("value of the header \(name)", value, "a value has no line breaks and no NUL")
        }
      }
    }

    /// Checks the key of a bucket; a pattern may have wildcards.
    internal static func check(key: String, isPattern: Bool = false) throws(NATSError) {
      try check(tokensOf: key, as: "key", allowingWildcards: isPattern)
      for byte in key.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          continue
        case _ where "-/_=.".utf8.contains(byte): continue
        case _ where isPattern && "*>".utf8.contains(byte): continue
        default: throw invalid("key", key, "a key has ASCII letters, digits and any of - / _ = .")
        }
      }
    }

    /// Checks a text that becomes part of the JSON with which a client introduces itself, in which the C client escapes
    /// nothing.
    internal static func check(option: String, _ name: String) throws(NATSError) {
      if option.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
      ) {
        // Without its value, which may be a password.
        throw NATSError(
          .invalidName,
          """
          The option \(name) has quotes, backslashes or control characters, which the C client would send as they are: \
          use another value.
          """
        )
      }
    }

    private static func check(
      tokensOf subject: String, as thing: String, allowingWildcards: Bool
    ) throws(NATSError) {
      var subject = subject
      if subject.isEmpty { throw invalid(thing, subject, "it has at least one character") }
      if subject.utf8.count > maxSubjectLength {
        throw invalid(thing, String(subject.prefix(80)) + "…", "it has up to \(maxSubjectLength) bytes")
      }
      let problem = subject.withUTF8 { bytes -> String? in
        var start = 0
        for end in 0...bytes.count {
          if end < bytes.count, bytes[end] != UInt8(ascii: ".") {
            if bytes[end] <= 0x20 || bytes[end] == 0x7F { return "it has no spaces, line breaks or control characters" }
            continue
          }
          if end == start { return "its parts between dots are not empty" }
          if end == start + 1, bytes[start] == UInt8(ascii: "*") || bytes[start] == UInt8(ascii: ">") {
            if !allowingWildcards { return "it names one place, without wildcards" }
            if bytes[start] == UInt8(ascii: ">"), end < bytes.count { return "nothing follows the wildcard >" }
          }
          start = end + 1
        }
        return nil
      }
      if let problem { throw invalid(thing, subject, problem) }
    }

    private static func invalid(_ thing: String, _ given: String, _ rule: String) -> NATSError {
      NATSError(.invalidName, "The \(thing) \(given.debugDescription) can't be used: \(rule). Nothing has been sent.")
    }
  }
#endif
