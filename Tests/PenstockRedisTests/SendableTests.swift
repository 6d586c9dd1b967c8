// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  import PenstockRedis
  import Testing

  /// Every public type; the census of all modules looks here for the types that it can't see.
  @Suite struct SendableTests {
    @Test func `All types are Sendable`() {
      var census = Census()
      census.note(RedisConnection.self)
      census.note(RedisDelivery.self)
      census.note(RedisEntryID.self)
      census.note(RedisError.self)
      census.note(RedisError.Reason.self)
      census.note(RedisGroup.self)
      census.note(RedisConsumer.self)
      census.note(RedisDeliveryOptions.self)
      census.note(RedisHost.self)
      #expect(census.count == 9)
    }
  }

  /// Counts types that the compiler takes for Sendable.
  private struct Census {
    private(set) var count = 0

    mutating func note<T: Sendable>(_ type: T.Type) { count += 1 }
  }
#endif
