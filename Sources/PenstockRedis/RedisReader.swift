// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockCore

  /// A consumer of a group, with everything that its requests to the server need.
  internal struct RedisSource: Sendable {
    internal let connection: RedisConnection
    internal let stream: String
    internal let group: String
    internal let consumer: String
    internal let deadline: Duration

    /// The longest time that a read waits before the reader looks for entries that are due; the link would take a
    /// longer silence for a loss.
    internal var interval: Duration {
      min(max(deadline / 4, .milliseconds(1)), connection.address.timeout / 2, .seconds(1))
    }

    /// Returns the command that sets how long an entry has been idle, unless the entry has been delivered again.
    ///
    /// XCLAIM alone would take the entry from the consumer that has it now. A script on the server is the only way to
    /// check first and still send one command. XCLAIM would also remove an entry that is no longer in the stream from
    /// the pending ones.
    internal func claim(_ id: RedisEntryID, _ attempt: Int, idle: Int, counted count: Int) -> [[UInt8]] {
      words("EVAL", Self.script, 1, stream, group, id, consumer, attempt, idle, count)
    }

    private static let script = """
      local found = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)[1]
      if not found or found[2] ~= ARGV[3] or found[4] ~= tonumber(ARGV[4]) then return 0 end
      if #redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2]) == 0 then return -1 end
      return #redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[3], 0, ARGV[2], 'IDLE', ARGV[5], 'RETRYCOUNT', ARGV[6], 'JUSTID')
      """
  }

  /// Whether a delivery has been settled.
  internal final class Settlement: Sendable {
    private let state = Guarded(false)

    internal var value: Bool { state.withLock { $0 } }

    /// - Returns: Whether it had not been settled before.
    internal func begin() -> Bool { !state.withLock { exchange(&$0, with: true) } }

    internal func takeBack() { state.withLock { $0 = false } }
  }

  /// Reads a stream for one subscriber, on a link that the server may block.
  internal final class RedisReader: Sendable {
    internal let source: RedisSource
    private let link: RedisLink
    /// Whether the server has been asked to wait for entries, or is about to be.
    private let state = Guarded((isReading: false, nextLook: ContinuousClock.now))

    internal init(_ source: RedisSource) {
      self.source = source
      link = RedisLink(source.connection.address)
    }

    deinit { link.close() }

    /// Fetches entries, first those that are due again, and waits for a while if there are none.
    internal func fetch(_ count: Int) async throws(RedisError) -> [RedisDelivery] {
      let result = await withTaskCancellationHandler {
        await read(count)
      } onCancel: {
        stop()
      }
      return try result.get()
    }

    private func read(_ count: Int) async -> Result<[RedisDelivery], RedisError> {
      if source.connection.link.isClosed { return .failure(.closed) }
      do throws(RedisError) {
        let again = try await due(count)
        return .success(again.isEmpty ? try await new(count) : again)
      } catch {
        // Entries that were on their way are due again after the deadline. The next call waits for another link.
        return error.reason == .disconnected ? .success([]) : .failure(error)
      }
    }

    /// Takes over entries that have been with a consumer for longer than the deadline.
    ///
    /// XAUTOCLAIM would need one command less if there are some, but does not say how often an entry has been
    /// delivered. XPENDING does, and XCLAIM leaves out entries that somebody else has taken over meanwhile.
    private func due(_ count: Int) async throws(RedisError) -> [RedisDelivery] {
      let isDue = state.withLock { state in
        guard state.nextLook <= .now else { return false }
        state.nextLook = .now + source.interval
        return true
      }
      guard isDue else { return [] }
      let (stream, group, milliseconds) = (source.stream, source.group, source.deadline.milliseconds)
      let look = words("XPENDING", stream, group, "IDLE", milliseconds, "-", "+", count)
      let pending = try await link.reply(to: look).get().array.map(\.array)
      if pending.isEmpty { return [] }
      // There may be others.
      if pending.count == count { state.withLock { $0.nextLook = .now } }
      var (claim, attempts) = (words("XCLAIM", stream, group, source.consumer, milliseconds), [RedisEntryID: Int]())
      for entry in pending {
        guard entry.count == 4, let id = entry[0].id, let count = entry[3].integer else { continue }
        attempts[id] = count + 1
        claim += words(id)
      }
      return try await link.reply(to: claim).get().array.compactMap { RedisDelivery($0, attempts, self) }
    }

    /// Reads entries that nobody has got.
    private func new(_ count: Int) async throws(RedisError) -> [RedisDelivery] {
      let wait = state.withLock { state in
        state.isReading = true
        return ContinuousClock.now.duration(to: state.nextLook)
      }
      // A timeout of zero would mean no limit.
      let milliseconds = max(1, wait.milliseconds)
      var command = words("XREADGROUP", "GROUP", source.group, source.consumer, "COUNT", count)
      command += words("BLOCK", milliseconds, "STREAMS", source.stream, ">")
      let reply = await withUnsafeContinuation { waiter in
        link.send(command) { reply in
          // Here, since the task may not continue at once, and an unblock that comes too early is repeated until then.
          self.state.withLock { $0.isReading = false }
          waiter.resume(returning: reply)
        }
      }
      let streams = try reply.get().array
      return (streams.first?.array.last?.array ?? []).compactMap { RedisDelivery($0, [:], self) }
    }

    /// Ends the reading: the server need not wait any more.
    private func stop() {
      link.close()
      unblock()
    }

    /// Makes the reader look at once for entries that are due.
    internal func look() {
      state.withLock { $0.nextLook = .now }
      unblock()
    }

    /// Ends the waiting of the server, by the other connection.
    private func unblock() {
      guard state.withLock({ $0.isReading }), let id = link.clientID else { return }
      source.connection.link.send(words("CLIENT", "UNBLOCK", id)) { [weak self] result in
        guard case .success(.integer(0)) = result else { return }
        // The read is still on its way to the server, or its result is on its way here.
        Task {
          try? await ContinuousClock().sleep(for: .milliseconds(1))
          self?.unblock()
        }
      }
    }
  }
#endif
