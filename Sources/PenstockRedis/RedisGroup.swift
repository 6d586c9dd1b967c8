// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  /// The progress of a group of consumers.
  public struct RedisGroup: Sendable, Hashable {
    /// The number of entries that no consumer has got; `nil` if Redis does not know it, for example after entries have
    /// been deleted.
    public let waiting: Int?
    /// The number of entries that have been delivered and are not settled, including those that have been given back.
    public let pending: Int
    /// The number of consumers that the group has had.
    public let consumers: Int
  }

  extension RedisConnection {
    /// Returns the progress of a group.
    ///
    /// - Parameters:
    ///   - name: The name of the group.
    ///   - stream: The key of the stream.
    /// - Throws: A ``RedisError``; if there is no such group, an error with the reason
    ///   ``RedisError/Reason-swift.enum/noGroup``.
    public func group(_ name: String, of stream: String) async throws(RedisError) -> RedisGroup {
      for group in try await link.reply(to: words("XINFO", "GROUPS", stream)).get().array {
        let fields = group.array
        var values: [String: RedisReply] = [:]
        for index in stride(from: 0, to: fields.count - 1, by: 2) {
          values[String(decoding: fields[index].bytes ?? [], as: UTF8.self)] = fields[index + 1]
        }
        guard values["name"]?.bytes == Array(name.utf8) else { continue }
        return RedisGroup(
          waiting: values["lag"]?.integer, pending: values["pending"]?.integer ?? 0,
          consumers: values["consumers"]?.integer ?? 0)
      }
      throw RedisError(
        .noGroup, "The stream \(stream) has no group \(name): make it with makeGroup(stream:group:from:).")
    }
  }
#endif
