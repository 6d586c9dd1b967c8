// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import CHiredis

  /// What a server has replied, copied out of the memory of hiredis.
  package enum RedisReply: Sendable, Equatable {
    case nothing
    case integer(Int)
    case bytes([UInt8])
    case error(String)
    case array([RedisReply])

    internal init(_ reply: redisReply) {
      let bytes = UnsafeRawBufferPointer(start: reply.str, count: reply.str == nil ? 0 : reply.len)
      switch reply.type {
      case REDIS_REPLY_INTEGER: self = .integer(Int(reply.integer))
      case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .bytes(Array(bytes))
      case REDIS_REPLY_ERROR: self = .error(String(decoding: bytes, as: UTF8.self))
      case REDIS_REPLY_ARRAY:
        self = .array((0..<Int(reply.elements)).map { index in RedisReply(reply.element[index]!.pointee) })
      default: self = .nothing
      }
    }

    package var integer: Int? { if case .integer(let number) = self { number } else { nil } }
    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    package var array: [RedisReply] { if case .array(let array) = self { array } else { [] } }
  }

  /// The words of a command, which may have any bytes.
  internal func words(_ words: any CustomStringConvertible...) -> [[UInt8]] { words.map { Array($0.description.utf8) } }
#endif
