// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Inspector.Snapshot {
  /// The snapshot as JSON, in one line.
  ///
  /// Durations are in seconds, demand is a number or `"unlimited"`, and unknown members are left out.
  public var json: String {
    JSON.object([
      "watched": .seconds(watched), "liveLinks": .number(liveLinks), "streams": .list(streams.map(\.json)),
    ]).text
  }
}

/// A value of JSON; the module does not use Foundation.
internal indirect enum JSON {
  case text(String)
  case literal(String)
  case list([JSON])
  case object([(String, JSON?)])

  static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON { .object(members.map { ($0.key, $0.value) }) }

  static func number(_ value: some BinaryInteger) -> JSON { .literal("\(value)") }

  static func seconds(_ duration: Duration) -> JSON {
    .literal("\((duration / .microseconds(1)).rounded() / 1e6)")
  }

  static func flag(_ value: Bool) -> JSON { .literal(value ? "true" : "false") }

  var text: String {
    switch self {
    case .text(let text): "\"\(Self.escaped(text))\""
    case .literal(let literal): literal
    case .list(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let members):
      "{"
        + members.compactMap { name, value in value.map { "\"\(name)\":\($0.text)" } }.joined(separator: ",") + "}"
    }
  }

  /// RFC 8259, section 7; and `<`, so that the text can stand in a page.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "<", "\u{2028}", "\u{2029}": escaped += unicode(scalar)
      case _ where scalar.value < 0x20: escaped += unicode(scalar)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func unicode(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension Inspector.Stream {
  fileprivate var json: JSON { .object(members) }

  /// The members of the object that stands for the stream.
  var members: [(String, JSON?)] {
    [
      ("id", .number(id)), ("title", .text(title)), ("unchanged", unchanged.map { .seconds($0) }),
      ("culprit", culprit?.json),
      ("why", .text(why)), ("end", end.json),
    ]
  }
}

extension Inspector.Culprit {
  fileprivate var json: JSON {
    .object([
      "link": .number(link), "name": .text(name), "reason": .text(reason.rawValue), "explanation": .text(explanation),
    ])
  }
}

extension Inspector.Link {
  fileprivate var json: JSON {
    .object([
      "id": .number(id), "name": .text(name), "label": label.map(\.json), "phase": .text(phase.rawValue),
      "outstanding": outstanding.map(\.json), "isAsked": isAsked.map { .flag($0) },
      "waiting": waiting.map { .number($0) }, "capacity": capacity.map { .number($0) },
      "drops": drops.isEmpty ? nil : .list(drops.map(\.json)), "waitsFor": wait.map { .text($0) },
      "publisher": publisher.map { .text(plainName($0)) },
      "passes": passes.isEmpty ? nil : .list(passes.map { .text($0) }), "subscriber": subscriber.map { .text($0) },
      "counts": counts?.json,
      "isCut": isCut ? .flag(true) : nil,
      "upstreams": upstreams.isEmpty ? nil : .list(upstreams.map(\.json)),
    ])
  }
}

extension Inspector.Link.Upstream {
  fileprivate var json: JSON { .object(["role": role.map { .text($0) }, "link": link.json]) }
}

extension Inspector.Link.Drops {
  fileprivate var json: JSON {
    .object(["reason": .text(reason.rawValue), "count": .number(count), "text": .text("\(count) \(reason.phrase)")])
  }
}

extension Inspector.Link.Label {
  fileprivate var json: JSON { .object(["text": .text(text), "file": .text(file), "line": .number(line)]) }
}

extension Inspector.Counts {
  fileprivate var json: JSON {
    .object([
      "values": .number(values), "rate": rate.map { .literal("\(($0 * 10).rounded() / 10)") },
      "age": age.map { .seconds($0) }, "thread": thread.map { .text(String($0, radix: 16)) },
    ])
  }
}

extension Subscribers.Demand {
  fileprivate var json: JSON { max.map { .number($0) } ?? .text("unlimited") }
}
