// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import Dispatch
  internal import PenstockConcurrency
  internal import PenstockCore
  internal import Synchronization

  /// A message to be published.
  internal struct Outgoing: Sendable {
    var subject: String
    var reply: String?
    var headers: [String: [String]] = [:]
    /// An id that was made here: it needs no table of headers and no check.
    var madeID: String?
    var payload: [UInt8]

    /// The number of bytes of the headers in the protocol, which count like those of the payload.
    var headerSize: Int {
      if headers.isEmpty, madeID == nil { return 0 }
      // A line with the version, a line for each value, with a colon, a space and the end of the line, and an empty
      // line.
      let line = 4
      let made = madeID.map { Confirming.idHeader.utf8.count + $0.utf8.count + line } ?? 0
      return headers.reduce(12 + made) { size, header in
        header.value.reduce(size) { $0 + header.key.utf8.count + $1.utf8.count + line }
      }
    }

    /// The approximate number of bytes that the message takes while it waits.
    var cost: Int { payload.count + subject.utf8.count + headerSize + 256 }
  }

  /// The calls to a connection of the C client that one thread makes at a time.
  ///
  /// The client writes to the socket in the thread that publishes, and waits there while the server takes nothing.
  /// Tasks have few threads, so all of this is done on a separate queue, in the order of the calls; one turn of the
  /// queue makes all calls that have come meanwhile.
  internal final class Writer: @unchecked Sendable {
    // `@unchecked`: the handle is of a C library that allows calls on any thread.

    private enum Job: Sendable {
      /// With a closure that is called on the writer's queue if the client does not take the message.
      case publish(Outgoing, onFailure: @Sendable (natsStatus) -> Void)
      case call(@Sendable (_ connection: OpaquePointer) -> Void)
    }

    /// A caller that publishes waits while more than this number of bytes has not been written.
    private static let mark: UInt = 4 << 20

    private let connection: OpaquePointer
    private let queue = DispatchQueue(label: "penstock.nats.writer")
    private let flusher = DispatchQueue(label: "penstock.nats.flusher")
    private let jobs = JobQueue<Job>()
    /// The number of bytes that have not been written.
    private let bytes = AtomicCell(UInt(0))
    /// The callers that wait for room.
    private let waiters = Guarded<[UnsafeContinuation<Void, Never>]>([])

    internal init(_ connection: OpaquePointer) { self.connection = connection }

    deinit {
      // The call joins threads of the client, and this may be one of them.
      nonisolated(unsafe) let connection = connection
      DispatchQueue(label: "penstock.nats.destroyer").async { natsConnection_Destroy(connection) }
    }

    private func enqueue(_ job: Job) {
      if jobs.append(job) { queue.async { self.run() } }
    }

    /// Calls a closure later, after all calls before it.
    internal func call(_ body: @escaping @Sendable (_ connection: OpaquePointer) -> Void) { enqueue(.call(body)) }

    /// Publishes a message later, after all calls before it.
    internal func publish(_ message: Outgoing, onFailure: @escaping @Sendable (natsStatus) -> Void) {
      bytes.wrappingAdd(UInt(message.cost), ordering: .relaxed)
      enqueue(.publish(message, onFailure: onFailure))
    }

    /// Publishes a message after everything before it, and waits until the client has taken it.
    internal func publishNow(_ message: Outgoing) async -> natsStatus {
      await result { done in call { _ in done(self.publishNow(message)) } }
    }

    /// Asks the server whether it has received everything, and waits for the answer.
    internal func flush(_ milliseconds: Int64) async -> NATSError? {
      await result { done in
        call { connection in
          nonisolated(unsafe) let connection = connection
          // On another queue, since it waits for the server.
          self.flusher.async {
            let status = natsConnection_FlushTimeout(connection, milliseconds)
            done(status == NATS_OK ? nil : NATSError(status, "Can't flush"))
          }
        }
      }
    }

    private var hasRoom: Bool { bytes.load(ordering: .relaxed) <= Self.mark }

    /// Waits until there is room for more bytes.
    internal func waitForRoom() async {
      if hasRoom { return }
      await waiters.suspend { waiters, waiter in
        if hasRoom { return () }
        waiters.append(waiter)
        return nil
      }
    }

    private func run() {
      var batch = JobQueue<Job>.Batch()
      while jobs.performTurn(&batch, perform) {
        // Those who wait look at the bytes under the lock, so nobody is missed.
        if hasRoom { for waiter in waiters.withLock({ exchange(&$0, with: []) }) { waiter.resume() } }
      }
    }

    private func perform(_ job: Job) {
      switch job {
      case .call(let body): body(connection)
      case .publish(let message, let onFailure):
        let status = publishNow(message)
        bytes.wrappingAdd(0 &- UInt(message.cost), ordering: .relaxed)
        if status != NATS_OK { onFailure(status) }
      }
    }

    private func publishNow(_ message: Outgoing) -> natsStatus {
      let count = Int32(message.payload.count)
      return message.payload.withUnsafeBytes { bytes in
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        if message.headers.isEmpty, message.madeID == nil {
          guard let reply = message.reply else {
            return natsConnection_Publish(connection, message.subject, start, count)
          }
          return natsConnection_PublishRequest(connection, message.subject, reply, start, count)
        }
        var copy: OpaquePointer?
        var status = natsMsg_Create(&copy, message.subject, message.reply, start, count)
        guard status == NATS_OK, let copy else { return status }
        defer { natsMsg_Destroy(copy) }
        if let id = message.madeID { status = natsMsgHeader_Set(copy, Confirming.idHeader, id) }
        for (name, values) in message.headers {
          for value in values where status == NATS_OK { status = natsMsgHeader_Add(copy, name, value) }
        }
        return status == NATS_OK ? natsConnection_PublishMsg(connection, copy) : status
      }
    }
  }
#endif
