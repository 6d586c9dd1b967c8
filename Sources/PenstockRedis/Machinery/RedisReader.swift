// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockCore

  /// A consumer of a group, and what it asks the server for.
  internal struct RedisSource: Sendable {
    internal let connection: RedisConnection
    internal let stream: String
    internal let group: String
    internal let consumer: String
    internal let deadline: Duration

    internal func send(_ command: [[UInt8]]) async -> Result<RedisReply, RedisError> {
      await withUnsafeContinuation { waiter in connection.link.send(command) { waiter.resume(returning: $0) } }
    }

    /// The command that says how long an entry has been idle, unless it has been delivered again.
    ///
    /// XCLAIM alone would take it from whoever has it now. A script of the server is the only way to look before and to send
    /// one command.
    internal func claim(_ id: RedisEntryID, _ attempt: Int, idle: Int, counted count: Int) -> [[UInt8]] {
      words("EVAL", Self.script, 1, stream, group, id, consumer, attempt, idle, count)
    }

    private static let script = """
      local found = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)[1]
      if not found or found[2] ~= ARGV[3] or found[4] ~= tonumber(ARGV[4]) then return 0 end
      return #redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[3], 0, ARGV[2], 'IDLE', ARGV[5], 'RETRYCOUNT', ARGV[6], 'JUSTID')
      """

    /// Lets those that wait in this process look for what is due; others find it when they look next.
    internal func wakeReaders() {
      for reader in connection.readers.withLock({ $0.values.compactMap(\.reader) })
      where (reader.source.stream, reader.source.group) == (stream, group) { reader.look() }
    }
  }

  /// Whether a delivery has been settled.
  internal final class Settlement: Sendable {
    private let state = Guarded(false)

    internal var value: Bool { state.withLock { $0 } }

    /// - Returns: Whether it had not been before.
    internal func begin() -> Bool { !state.withLock { exchange(&$0, with: true) } }

    internal func takeBack() { state.withLock { $0 = false } }
  }

  /// A reference that does not keep a reader.
  internal struct WeakReader: Sendable {
    internal weak let reader: RedisReader?
  }

  /// Reads a stream for one subscriber, on a connection that the server may block.
  internal final class RedisReader: Sendable {
    private struct State {
      var hasStarted = false
      var isCancelled = false
      /// Whether the server has been asked to wait for entries, or is about to be.
      var isReading = false
      var nextLook = ContinuousClock.now
    }

    internal let source: RedisSource
    private let link: RedisLink
    private let state = Guarded(State())

    internal init(_ source: RedisSource) {
      self.source = source
      link = RedisLink(source.connection.address, patience: source.interval)
      source.connection.readers.withLock { $0[ObjectIdentifier(self)] = WeakReader(reader: self) }
    }

    deinit {
      source.connection.readers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
      link.close()
    }

    /// Fetches entries, those first that are due again, and waits for a while if there are none.
    internal func fetch(_ count: Int) async throws(RedisError) -> [RedisDelivery] {
      if state.withLock({ !exchange(&$0.hasStarted, with: true) }) { link.start() }
      let result = await withTaskCancellationHandler {
        do throws(RedisError) {
          let again = try await due(count)
          return Result<[RedisDelivery], RedisError>.success(again.isEmpty ? try await new(count) : again)
        } catch {
          return .failure(error)
        }
      } onCancel: {
        stop()
      }
      // What has been sent meanwhile is due again after the deadline. The next call waits for another link.
      if case .failure(let error) = result, error.reason == .disconnected { return [] }
      return try result.get()
    }

    /// Takes entries over that have been with a consumer for longer than the deadline.
    ///
    /// XAUTOCLAIM would need one command less when there are some, but does not say how often an entry has been delivered.
    /// XPENDING does, and XCLAIM leaves out what somebody else has taken over meanwhile.
    private func due(_ count: Int) async throws(RedisError) -> [RedisDelivery] {
      let isDue = state.withLock { state in
        guard state.nextLook <= .now else { return false }
        state.nextLook = .now + source.interval
        return true
      }
      guard isDue else { return [] }
      let (stream, group, milliseconds) = (source.stream, source.group, source.deadline.milliseconds)
      let pending = try await link.send(words("XPENDING", stream, group, "IDLE", milliseconds, "-", "+", count)).array
      if pending.isEmpty { return [] }
      // There may be others.
      if pending.count == count { state.withLock { $0.nextLook = .now } }
      var attempts: [RedisEntryID: Int] = [:]
      for entry in pending {
        let fields = entry.array
        guard fields.count == 4, let id = fields[0].bytes.flatMap(RedisEntryID.init) else { continue }
        attempts[id] = (fields[3].integer ?? 0) + 1
      }
      let claim =
        words("XCLAIM", stream, group, source.consumer, milliseconds) + attempts.keys.sorted().flatMap { words($0) }
      return try await link.send(claim).array.compactMap { RedisDelivery($0, attempts: attempts, source) }
    }

    /// Reads entries that nobody has got.
    private func new(_ count: Int) async throws(RedisError) -> [RedisDelivery] {
      let wait: Duration? = state.withLock { state in
        if state.isCancelled { return nil }
        state.isReading = true
        return ContinuousClock.now.duration(to: state.nextLook)
      }
      guard let wait else { throw RedisError(.closed, "The connection or the subscription has been closed.") }
      defer { state.withLock { $0.isReading = false } }
      // No time at all would mean any time.
      let milliseconds = max(1, wait.milliseconds)
      let reply = try await link.send(
        words("XREADGROUP", "GROUP", source.group, source.consumer, "COUNT", count, "BLOCK", milliseconds)
          + words("STREAMS", source.stream, ">"))
      guard let stream = reply.array.first?.array, stream.count == 2 else { return [] }
      return stream[1].array.compactMap { RedisDelivery($0, attempts: [:], source) }
    }

    /// Ends the reading: the server need not wait any more.
    internal func stop() {
      state.withLock { $0.isCancelled = true }
      link.close()
      unblock()
    }

    /// Lets the reader look for what is due, at once.
    internal func look() {
      state.withLock { $0.nextLook = .now }
      unblock()
    }

    /// Ends the waiting of the server, by the other connection.
    private func unblock() {
      guard state.withLock({ $0.isReading }), let id = link.clientID else { return }
      source.connection.link.send(words("CLIENT", "UNBLOCK", id)) { [weak self] result in
        // The read is still on its way to the server, or what it has read is on its way here.
        if case .success(.integer(0)) = result { self?.unblock() }
      }
    }
  }

  extension RedisSource {
    /// How long a read waits, at most, before it is looked for what is due.
    internal var interval: Duration { min(max(deadline / 4, .milliseconds(1)), .seconds(1)) }
  }

  /// Makes a reader for each subscriber.
  internal struct RedisPublisher<Fetching: Publisher<RedisDelivery, RedisError>>: Publisher, Sendable {
    internal typealias Output = RedisDelivery
    internal typealias Failure = RedisError

    internal let source: RedisSource
    internal let fetching: @Sendable (RedisReader) -> Fetching

    internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      fetching(RedisReader(source)).receive(subscriber: subscriber)
    }
  }
#endif
