// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import PenstockNATS
  import Testing

  /// Every public type; the census of all modules looks here for the types that it can't see.
  @Suite struct SendableTests {
    @Test func `All types are Sendable`() {
      var census = Census()
      census.note(ConsumerConfiguration.self)
      census.note(ConsumerConfiguration.AckPolicy.self)
      census.note(ConsumerConfiguration.DeliverPolicy.self)
      census.note(ConsumerInfo.self)
      census.note(ConsumerInfo.Place.self)
      census.note(NATSBucket.self)
      census.note(NATSBucketConfiguration.self)
      census.note(NATSBuffering.self)
      census.note(NATSConnection.self)
      census.note(NATSConnectionState.self)
      census.note(NATSDelivery.self)
      census.note(NATSDeliveryOptions.self)
      census.note(NATSEntry.self)
      census.note(NATSEntry.Operation.self)
      census.note(NATSError.self)
      census.note(NATSError.Reason.self)
      census.note(NATSMessage.self)
      census.note(NATSMessages.self)
      census.note(NATSOptions.self)
      census.note(NATSOptions.Authentication.self)
      census.note(NATSOptions.Sending.self)
      census.note(NATSOptions.TLS.self)
      census.note(NATSOrderedMessages.self)
      census.note(NATSPublication.self)
      census.note(NATSStreamMessage.self)
      census.note(NATSWatchEvent.self)
      census.note(PublishConfirmation.self)
      census.note(StreamConfiguration.self)
      census.note(StreamConfiguration.Discard.self)
      census.note(StreamConfiguration.Retention.self)
      census.note(StreamConfiguration.Storage.self)
      census.note(StreamInfo.self)
      census.note(StreamInfo.State.self)
      #expect(census.count == 33)
    }
  }

  /// Counts types that the compiler takes for Sendable.
  private struct Census {
    private(set) var count = 0

    mutating func note<T: Sendable>(_ type: T.Type) { count += 1 }
  }
#endif
