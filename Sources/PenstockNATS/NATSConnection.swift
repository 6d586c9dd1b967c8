// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockCore

  /// A connection to a NATS server, or to one of several that make a cluster.
  ///
  /// ```swift
  /// let connection = try await NATSConnection.connect(to: ["nats://127.0.0.1:4222"])
  /// try await connection.publish("21.5", to: "temperature.kitchen")
  /// await connection.drain()
  /// ```
  ///
  /// It is kept: a server that is lost is looked for, in the background, and subscriptions and streams go on when one
  /// is found. What happens is told by ``states``.
  ///
  /// It is closed by ``close()`` or ``drain(within:)``, when the limit of the options is reached, and when neither it
  /// nor any stream made from it is used any more.
  ///
  /// **Concurrency:** everything may be called in any task. No call waits in a thread that Swift keeps for tasks: what
  /// the C client does takes place on threads of its own.
  public final class NATSConnection: Sendable {
    internal let link: Link

    private init(_ link: Link) { self.link = link }

    /// Connects to one of several servers.
    ///
    /// - Parameters:
    ///   - servers: Addresses such as `nats://127.0.0.1:4222` or `tls://…`, which are tried in any order.
    ///   - options: How the connection is made and kept.
    /// - Throws: A ``NATSError``: no server, authorization, TLS, or an option that can't be used.
    public static func connect(
      to servers: [String], options: NATSOptions = NATSOptions()
    ) async throws(NATSError) -> NATSConnection {
      NATSConnection(try await Link.connect(servers, options))
    }

    /// What becomes of the connection: the latest state first, and then each one.
    ///
    /// **Demand:** a subscriber that has not requested a value when it comes gets the latest one later.
    ///
    /// **Completion:** `.finished` after ``NATSConnectionState/closed``.
    ///
    /// **Failure:** none.
    ///
    /// **Concurrency:** values are delivered on a queue of the connection. Who takes long there delays only other
    /// subscribers of states.
    public var states: some Publisher<NATSConnectionState, Never> & Sendable { link.events.states.share(of: link) }

    /// Whether there is a connection at present.
    public var isConnected: Bool { link.events.isConnected }

    /// The greatest number of bytes that a payload may have with its headers, by the server that the connection is to.
    public var maxPayload: Int { link.maxPayload }

    /// Finishes what has begun, and closes the connection.
    ///
    /// Streams of deliveries fetch no more, and finish; what they have delivered may be settled; subscriptions finish
    /// with what has come; what has been published is sent. Then the connection is closed: at the limit whatever
    /// remains.
    ///
    /// Work that takes longer is not stopped at the limit: its stream fails with ``NATSError/Reason/closed`` when the
    /// work asks for more, and its deliveries come again after their deadline. Cancel its subscription before.
    ///
    /// - Parameter limit: How long it may take until what is delivered is settled, and what is published is sent. It returns then
    ///   whatever the server does; the connection is closed by itself as soon as a write that it does not take is given up.
    public func drain(within limit: Duration = .seconds(30)) async { await link.drain(within: limit) }

    /// Closes the connection.
    ///
    /// Requests fail, and so do streams, with ``NATSError/Reason/closed``. What has been delivered and is not settled
    /// comes again elsewhere, after its deadline.
    public func close() { link.close() }
  }

  extension CurrentValueSubject where Output: Sendable {
    /// The subject's values, for as long as somebody subscribes to them.
    fileprivate func share(of owner: Link) -> some Publisher<Output, Failure> & Sendable {
      StatePublisher(subject: self, owner: owner)
    }
  }

  /// The states of a connection, without the subject's other half.
  private struct StatePublisher<Output: Sendable, Failure: Error>: Publisher, Sendable {
    let subject: CurrentValueSubject<Output, Failure>
    let owner: Link

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      subject.receive(subscriber: subscriber)
    }
  }
#endif
