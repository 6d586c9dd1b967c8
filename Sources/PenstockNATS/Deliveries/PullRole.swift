// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  /// The consumer that a pull asks.
  internal enum PullRole: Sendable {
    /// A consumer that exists, and whose deliveries have to be acknowledged.
    case durable(String)
    /// Consumers that the pull makes for itself, one for each inbox: each begins after the last message that has come,
    /// so that all messages come once and in their order.
    case ordered(OrderedPlace)

    internal var name: String { if case .durable(let name) = self { name } else { "" } }
    internal var isOrdered: Bool { if case .ordered = self { true } else { false } }
  }

  /// The messages of an ordered pull.
  internal struct OrderedPlace: Sendable {
    /// The messages, with wildcards; `nil` for all of the stream.
    internal var filter: String?
    /// The message with which the first consumer begins.
    internal var beginning: ConsumerConfiguration.DeliverPolicy
    /// Called when the first consumer has been made, with the number of messages that it has to deliver.
    internal var onBegin: @Sendable (_ pending: Int) -> Void = { _ in }
  }

  extension Pull {
    /// Makes a consumer that begins after the messages that have come.
    internal func makeConsumer(_ place: OrderedPlace) async throws(NATSError) -> ConsumerInfo {
      forgetConsumer()
      let creationDate = try await creationDate()
      let next = state.withLock { state in
        // A stream that has been deleted and made again numbers its messages from 1: all of them are new.
        if state.creationDate != creationDate { state.lastSequence = 0 }
        state.creationDate = creationDate
        return state.lastSequence + 1
      }
      // The server wants a filter for some beginnings.
      var configuration = ConsumerConfiguration("", filterSubject: place.filter ?? ">")
      configuration.deliverPolicy = next > 1 ? .sequence(next) : place.beginning
      configuration.ackPolicy = .none
      configuration.maxAckPending = nil
      configuration.isInMemory = true
      configuration.replicas = 1
      configuration.inactiveThreshold = max(.seconds(300), options.expires * 2)
      let info = try await client.makeEphemeral(configuration, stream)
      // If the stream was made again between the two requests, it has a consumer that may begin too late.
      if try await self.creationDate() != creationDate {
        throw NATSError(.jetStreamUnavailable, "The stream \(stream) has been made again meanwhile.")
      }
      return info
    }

    private struct Stream: Decodable { let created: String }

    private func creationDate() async throws(NATSError) -> String {
      try await client.ask("STREAM.INFO", of: stream, to: "look up", as: Stream.self).created
    }

    /// Tells the server that the consumer is not needed any more; otherwise it keeps the consumer for minutes.
    internal func forgetConsumer() {
      guard role.isOrdered else { return }
      let name = state.withLock { exchange(&$0.consumer, with: "") }
      if name.isEmpty || !client.events.isConnected { return }
      let subject = "\(client.options.jetStreamPrefix).CONSUMER.DELETE.\(stream).\(name)"
      client.writer.publish(Outgoing(subject: subject, payload: [])) { _ in }
    }
  }
#endif
