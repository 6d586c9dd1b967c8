// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS

  extension NATSMessage {
    /// Copies a message of the C client, which remains to be destroyed.
    internal init(copying message: OpaquePointer) {
      self.init(copying: message, reply: natsMsg_GetReply(message).map { String(cString: $0) })
    }

    /// Copies a message of the C client whose reply has been copied before.
    internal init(copying message: OpaquePointer, reply: String?) {
      self.init(
        Array(Self.payload(of: message)), subject: String(cString: natsMsg_GetSubject(message)), reply: reply)
      headerValues = Self.headers(of: message)
    }

    /// The payload of a message of the C client, which is valid as long as the message.
    internal static func payload(of message: OpaquePointer) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
    }

    private static func headers(of message: OpaquePointer) -> [String: [String]] {
      var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
      var count: Int32 = 0
      var status = natsMsgHeader_Keys(message, &names, &count)
      // Another client's header has an empty value: a second call returns those before it.
      if status == NATS_PROTOCOL_ERROR { status = natsMsgHeader_Keys(message, &names, &count) }
      guard status == NATS_OK, let names else { return [:] }
      defer { freeMemory(names) }
      var headers: [String: [String]] = [:]
      for index in 0..<Int(count) {
        guard let name = names[index] else { continue }
        headers[String(cString: name)] = values(of: name, message)
      }
      return headers
    }

    private static func values(of name: UnsafePointer<CChar>, _ message: OpaquePointer) -> [String]? {
      var values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
      var count: Int32 = 0
      guard natsMsgHeader_Values(message, name, &values, &count) == NATS_OK, let values else { return nil }
      defer { freeMemory(values) }
      return (0..<Int(count)).map { values[$0].map { String(cString: $0) } ?? "" }
    }

    /// The number of a message that reports about a request instead of answering it, such as 503.
    internal var status: Int? {
      guard payload.isEmpty, let status = headerValues["Status"]?.first else { return nil }
      return Int(status)
    }
  }
#endif
