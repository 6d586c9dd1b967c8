// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// A value that a server has sent and that has no name here: it is kept, so that writing it back changes nothing.
  internal enum JSONValue: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case natural(UInt64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    internal init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int64.self) {
        self = .integer(value)
      } else if let value = try? container.decode(UInt64.self) {
        self = .natural(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else if let value = try? container.decode(String.self) {
        self = .string(value)
      } else if let value = try? container.decode([JSONValue].self) {
        self = .array(value)
      } else {
        self = .object(try container.decode([String: JSONValue].self))
      }
    }

    internal func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .natural(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .array(let value): try container.encode(value)
      case .object(let value): try container.encode(value)
      }
    }
  }

  extension [String: JSONValue] {
    /// Reads the members of an object other than those with known keys.
    internal init(besides known: [String], in decoder: any Decoder) throws {
      self = try decoder.singleValueContainer().decode([String: JSONValue].self)
      for name in known { self[name] = nil }
    }

    /// Writes the value beside the members that an encoder has already, which win if both have a key.
    internal func encode(besides encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: NamedKey.self)
      for (name, value) in self { try container.encode(value, forKey: NamedKey(name)) }
    }
  }

  /// The settings of a stream or a consumer that are not modelled here.
  ///
  /// Comparisons of configurations ignore them: a server adds some to whatever it is given.
  internal struct OtherSettings: Sendable, Hashable {
    internal var values: [String: JSONValue] = [:]

    internal static func == (a: Self, b: Self) -> Bool { true }
    internal func hash(into hasher: inout Hasher) {}
  }

  internal struct NamedKey: CodingKey {
    internal let stringValue: String

    internal init(_ name: String) { stringValue = name }
    internal init?(stringValue: String) { self.init(stringValue) }

    internal var intValue: Int? { nil }
    internal init?(intValue: Int) { nil }
  }
#endif
