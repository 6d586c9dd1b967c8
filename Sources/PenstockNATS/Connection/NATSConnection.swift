// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockCore

  /// A connection to a NATS server, or to one of several servers that form a cluster.
  ///
  /// ```swift
  /// let connection = try await NATSConnection.connect(to: ["nats://127.0.0.1:4222"])
  /// try await connection.publish("21.5", to: "temperature.kitchen")
  /// await connection.drain()
  /// ```
  ///
  /// The connection is permanent: when it loses its server, it looks for one in the background, and subscriptions and
  /// streams continue when it has found one. ``states`` reports what happens.
  ///
  /// The connection is closed by ``close()`` or ``drain(within:)``, when the limit of the options is reached, and when
  /// neither the connection nor any stream made from it is used any more.
  ///
  /// **Concurrency:** everything may be called in any task. No call blocks a thread that Swift keeps for tasks: the C
  /// client works on threads of its own.
  public final class NATSConnection: Sendable {
    internal let client: NATSClient

    private init(_ client: NATSClient) { self.client = client }

    /// Connects to one of several servers.
    ///
    /// - Parameters:
    ///   - servers: Addresses such as `nats://127.0.0.1:4222` or `tls://…`, which are tried in any order.
    ///   - options: The options of the connection.
    /// - Throws: A ``NATSError``: no server, authorization, TLS, or an option that can't be used.
    public static func connect(
      to servers: [String], options: NATSOptions = NATSOptions()
    ) async throws(NATSError) -> NATSConnection {
      NATSConnection(try await NATSClient.connect(servers, options))
    }

    /// A publisher of the states of the connection: the latest state first, and then each new one.
    ///
    /// **Demand:** a subscriber that has not requested a state when it comes gets the latest one later.
    ///
    /// **Completion:** `.finished` after ``NATSConnectionState/closed``.
    ///
    /// **Failure:** none.
    ///
    /// **Concurrency:** values are delivered on a queue of the connection. A subscriber that takes long there delays
    /// only other subscribers of states.
    public var states: some Publisher<NATSConnectionState, Never> & Sendable { client.events.states.share(of: client) }

    /// Whether there is a connection at present.
    public var isConnected: Bool { client.events.isConnected }

    /// The greatest number of bytes that a payload may have with its headers, according to the connected server.
    public var maxPayload: Int { client.maxPayload }

    /// Finishes work that has begun, and closes the connection.
    ///
    /// Streams of deliveries fetch no more, and finish; their deliveries may be settled; subscriptions finish after the
    /// messages that have come; published messages are sent. Then the connection is closed, at the limit even if
    /// something remains.
    ///
    /// Work that takes longer is not stopped at the limit: its stream fails with ``NATSError/Reason/closed`` when the
    /// work asks for more, and its deliveries come again after their deadline. Cancel its subscription before.
    ///
    /// - Parameter limit: How long settling deliveries and sending published messages may take. Then the method
    ///   returns, whatever the server does; if the server does not take a write, the connection closes on its own as
    ///   soon as that write is given up.
    public func drain(within limit: Duration = .seconds(30)) async { await client.drain(within: limit) }

    /// Closes the connection.
    ///
    /// Requests fail, and so do streams, with ``NATSError/Reason/closed``. Unsettled deliveries come again elsewhere,
    /// after their deadline.
    public func close() { client.close() }
  }

  extension CurrentValueSubject where Output: Sendable {
    /// The subject's values, kept alive as long as somebody subscribes to them.
    fileprivate func share(of owner: NATSClient) -> some Publisher<Output, Failure> & Sendable {
      StatePublisher(subject: self, owner: owner)
    }
  }

  /// The states of a connection, without the subject's other half.
  private struct StatePublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    let subject: CurrentValueSubject<Output, Failure>
    let owner: NATSClient

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      subject.receive(subscriber: subscriber)
    }
  }
#endif
