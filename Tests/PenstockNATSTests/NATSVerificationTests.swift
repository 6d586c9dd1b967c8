// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import DeliveryFaults
  import PenstockConcurrency
  import PenstockNATS
  import PenstockTesting
  import TestSupport
  import Testing

  /// The rules of streams.
  ///
  /// The C client has threads, which a copy of the process would not have.
  @Suite(.serialized, .enabled(if: NATSServer.isThere, NATSServer.missing)) struct NATSVerificationTests {
    @Test func `Deliveries keep the rules of publishers`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let verification = PublisherVerification("NATSDeliveries").traits(.shared)
        .finite { count in
          let stand = waiting {
            let stand = try await Stand(on: server)
            if count > 0 { try await stand.publish(1...count) }
            return stand
          }
          return EndlessSubject(count) { stand.connection.close() }
            .driven { stand.deliveries(batch: 1...4).map(\.text) }
        }
        .failing {
          let connection = waiting { try await NATSConnection.connect(to: [server.address]) }
          return EndlessSubject(.max)
            .driven { connection.deliveries(stream: "NOWHERE", consumer: "worker").map(\.text) }
        }
        .waiving(
          "P-07", because: "the server is asked for nothing without demand, so that the end shows with a request"
        )
        .inProcess()
      await judge(verification)
    }

    @Test func `The messages of a subject keep the rules of publishers`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let verification = PublisherVerification("NATSMessages")
        .finite { count in
          @Sendable func connected() -> NATSConnection {
            waiting { try await NATSConnection.connect(to: [server.address]) }
          }
          let current = Locked(connected())
          // Each subscriber has a subject of its own, to which values are published when it listens.
          let places = Locked<[String]>([])
          // The end of a subject is that of the connection. A subscriber that comes after it has another one.
          return EndlessSubject(count, isShared: false) {
            let next = connected()
            let last = current.change { current in
              defer { current = next }
              return current
            }
            last.close()
          }
          .driven {
            let news = places.change { places in
              defer { places = [] }
              return places
            }
            if news.isEmpty { return }
            let connection = current.value
            waiting {
              for place in news {
                // A subscriber that comes after the end gets nothing.
                for number in 0..<count { try? await connection.publish("\(number)", to: place) }
              }
              try? await connection.flush()
            }
          } _: {
            let place = uniqueName("core")
            places.change { $0.append(place) }
            return current.value.subscribe(place).map(\.text)
          }
        }
        .failing {
          let connection = waiting { try await NATSConnection.connect(to: [server.address]) }
          return EndlessSubject(.max).driven { connection.subscribe("two words").map(\.text) }
        }
        .inProcess()
      await judge(verification)
    }

    @Test func `Who publishes into a stream keeps the rules of subscribers`() async throws {
      let stand = try await Stand()
      let (connection, subject) = (stand.connection, "\(stand.stream).n")
      let verification = SubscriberVerification(
        "streamSubscriber", input: { NATSPublication(bytes("\($0)"), to: subject) },
        failure: { VerificationError.failed }
      ) {
        connection.streamSubscriber(failure: VerificationError.self, maxInFlight: 4)
      }
      .cancelling { $0.cancel() }.inProcess()
      await judge(verification)
    }
  }
#endif
