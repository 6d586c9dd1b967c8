// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  /// A setting of a configuration: its name in JSON, and how it is read and written.
  ///
  /// A server leaves out what is not set, or writes a number that is not positive; a reading leaves the default then.
  internal struct Setting<Root: Sendable>: Sendable {
    internal typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

    fileprivate let name: String
    fileprivate let read: @Sendable (inout Root, KeyedDecodingContainer<NamedKey>) throws -> Void
    fileprivate let write: @Sendable (Root, inout KeyedEncodingContainer<NamedKey>) throws -> Void

    /// - Parameters:
    ///   - name: The name in JSON.
    ///   - path: The property.
    ///   - value: Returns the value of the property for one in JSON.
    ///   - json: Returns the value in JSON for one of the property; `nil` to write nothing.
    private init<Value: Sendable, Coded: Codable & Sendable>(
      _ name: String, _ path: any Path<Value>, value: @escaping @Sendable (Coded) -> Value,
      json: @escaping @Sendable (Value) -> Coded?
    ) {
      let key = NamedKey(name)
      self.name = name
      read = { if let coded = try $1.decodeIfPresent(Coded.self, forKey: key) { $0[keyPath: path] = value(coded) } }
      write = { try $1.encodeIfPresent(json($0[keyPath: path]), forKey: key) }
    }

    internal static func value<Value: Codable & Sendable>(_ name: String, _ path: any Path<Value>) -> Self {
      Self(name, path, value: { $0 }, json: { $0 })
    }

    internal static func optional<Value: Codable & Sendable>(_ name: String, _ path: any Path<Value?>) -> Self {
      Self(name, path, value: { (value: Value) in value }, json: { $0 })
    }

    /// A setting that is written only if it is on.
    internal static func flag(_ name: String, _ path: any Path<Bool>) -> Self {
      Self(name, path, value: { $0 }, json: { $0 ? true : nil })
    }

    /// A setting that is written only if it has elements.
    internal static func times(_ name: String, _ path: any Path<[Duration]>) -> Self {
      Self(
        name, path, value: { (times: [Int64]) in times.map { .nanoseconds($0) } },
        json: { $0.isEmpty ? nil : $0.map(\.countableNanoseconds) })
    }

    /// - Parameter none: What is written for no limit; `nil` to write nothing.
    internal static func limit(_ name: String, _ path: any Path<Int?>, none: Int?) -> Self {
      Self(name, path, value: { $0 > 0 ? $0 : nil }, json: { $0 ?? none })
    }

    /// - Parameter none: What is written for no limit; `nil` to write nothing.
    internal static func time(_ name: String, _ path: any Path<Duration?>, none: Int64? = nil) -> Self {
      Self(name, path, value: { $0 > 0 ? .nanoseconds($0) : nil }, json: { $0?.countableNanoseconds ?? none })
    }
  }

  /// A configuration with settings that have names here, and others that are kept as they are.
  internal protocol Configuration: Sendable {
    static var settings: [Setting<Self>] { get }
    var others: OtherSettings { get set }
  }

  extension Configuration {
    internal mutating func read(from decoder: any Decoder) throws {
      others.values = try [String: JSONValue](besides: Self.settings.map(\.name), in: decoder)
      let container = try decoder.container(keyedBy: NamedKey.self)
      for setting in Self.settings { try setting.read(&self, container) }
    }

    internal func write(to encoder: any Encoder) throws {
      try others.values.encode(besides: encoder)
      var container = encoder.container(keyedBy: NamedKey.self)
      for setting in Self.settings { try setting.write(self, &container) }
    }
  }
#endif
