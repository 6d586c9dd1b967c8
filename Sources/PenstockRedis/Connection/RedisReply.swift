// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import CHiredis

  /// A reply of a server, copied out of the memory of hiredis.
  package enum RedisReply: Sendable, Equatable {
    case nothing
    case integer(Int)
    case bytes([UInt8])
    case array([RedisReply])

    internal static func result(of reply: redisReply) -> Result<RedisReply, RedisError> {
      if reply.type != REDIS_REPLY_ERROR { return .success(RedisReply(reply)) }
      return .failure(RedisError(reply: String(decoding: reply.bytes, as: UTF8.self)))
    }

    private init(_ reply: redisReply) {
      switch reply.type {
      case REDIS_REPLY_INTEGER: self = .integer(Int(reply.integer))
      case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .bytes(Array(reply.bytes))
      case REDIS_REPLY_ARRAY: self = .array((0..<reply.elements).map { Self(reply.element[$0]!.pointee) })
      default: self = .nothing
      }
    }

    package var integer: Int? { if case .integer(let number) = self { number } else { nil } }
    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    /// The bytes as text.
    internal var text: String { String(decoding: bytes ?? [], as: UTF8.self) }
    package var array: [RedisReply] { if case .array(let array) = self { array } else { [] } }
    /// The values of an array of names and values, by name.
    internal var fields: [String: RedisReply] {
      let parts = array
      var fields: [String: RedisReply] = [:]
      for index in stride(from: 0, to: parts.count - 1, by: 2) {
        fields[parts[index].text] = parts[index + 1]
      }
      return fields
    }

    internal var id: RedisEntryID? { bytes.flatMap(RedisEntryID.init) }
  }

  extension redisReply {
    fileprivate var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: str, count: str == nil ? 0 : len) }
  }
#endif
