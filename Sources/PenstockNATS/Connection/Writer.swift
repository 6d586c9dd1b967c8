// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import Dispatch
  internal import PenstockConcurrency
  internal import PenstockCore

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

    internal enum Job: Sendable {
      /// With a closure that is called on the writer's queue if the client does not take the message.
      case publish(Outgoing, onFailure: @Sendable (natsStatus) -> Void)
      /// With the number that identifies the request if it can't be published.
      case request(Outgoing, UInt64)
      case call(@Sendable (_ connection: OpaquePointer) -> Void)

      /// The approximate number of bytes that the job takes while it waits.
      var bytes: Int {
        switch self {
        case .publish(let message, _), .request(let message, _): message.cost
        case .call: 0
        }
      }
    }

    private struct State {
      var jobs: [Job] = []
      var isRunning = false
      /// The bytes that have not been written.
      var bytes = 0
      var waiters: [UnsafeContinuation<Void, Never>] = []
      var onFailure: (@Sendable (_ number: UInt64, _ status: natsStatus, _ subject: String) -> Void)?
    }

    /// A caller that publishes waits while more than this number of bytes has not been written.
    private static let mark = 4 << 20

    private let connection: OpaquePointer
    private let queue = DispatchQueue(label: "penstock.nats.writer")
    private let flusher = DispatchQueue(label: "penstock.nats.flusher")
    private let state = Guarded(State())

    internal init(_ connection: OpaquePointer) { self.connection = connection }

    deinit {
      // The call joins threads of the client, and this may be one of them.
      nonisolated(unsafe) let connection = connection
      DispatchQueue(label: "penstock.nats.destroyer").async { natsConnection_Destroy(connection) }
    }

    /// Sets the closure that is called with requests that can't be published.
    internal func handleFailures(_ body: @escaping @Sendable (UInt64, natsStatus, String) -> Void) {
      state.withLock { $0.onFailure = body }
    }

    /// Does a job later, after all jobs before it.
    internal func enqueue(_ job: Job) {
      let bytes = job.bytes
      let starts = state.withLock { state in
        state.jobs.append(job)
        state.bytes += bytes
        if state.isRunning { return false }
        state.isRunning = true
        return true
      }
      if starts { queue.async { self.run() } }
    }

    internal func call(_ body: @escaping @Sendable (_ connection: OpaquePointer) -> Void) { enqueue(.call(body)) }

    /// Publishes a message after everything before it, and waits until the client has taken it.
    internal func publishNow(_ message: Outgoing) async -> natsStatus {
      await result { done in call { _ in done(self.publish(message)) } }
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

    /// Waits until there is room for more bytes.
    internal func waitForRoom() async {
      if state.withLock({ $0.bytes <= Self.mark }) { return }
      await state.suspend { state, waiter in
        if state.bytes <= Self.mark { return () }
        state.waiters.append(waiter)
        return nil
      }
    }

    private func run() {
      while true {
        let jobs = state.withLock { state -> [Job] in
          if state.jobs.isEmpty { state.isRunning = false }
          return exchange(&state.jobs, with: [])
        }
        if jobs.isEmpty { return }
        // Counted a few at a time: the lock is contended.
        var written = 0
        for job in jobs {
          switch job {
          case .call(let body): body(connection)
          case .publish(let message, let onFailure):
            let status = publish(message)
            if status != NATS_OK { onFailure(status) }
          case .request(let message, let number):
            let status = publish(message)
            if status != NATS_OK { state.withLock { $0.onFailure }?(number, status, message.subject) }
          }
          written += job.bytes
          if written > Self.mark / 16 { noteWritten(exchange(&written, with: 0)) }
        }
        if written > 0 { noteWritten(written) }
      }
    }

    private func noteWritten(_ bytes: Int) {
      let waiters = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
        state.bytes -= bytes
        return state.bytes <= Self.mark && !state.waiters.isEmpty ? exchange(&state.waiters, with: []) : []
      }
      for waiter in waiters { waiter.resume() }
    }

    private func publish(_ message: Outgoing) -> natsStatus {
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
