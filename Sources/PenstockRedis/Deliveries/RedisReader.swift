// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockConcurrency
  internal import PenstockCore
  internal import Synchronization

  /// A consumer of a group, with everything that its requests to the server need.
  internal struct RedisSource: Sendable {
    internal let connection: RedisConnection
    internal let stream: String
    internal let group: String
    internal let consumer: String
    internal let deadline: Duration
    internal let options: RedisDeliveryOptions

    /// The longest time that a read waits before the reader looks for entries that are due; the link would take a
    /// longer silence for a loss.
    internal var interval: Duration {
      min(max(deadline / 4, .milliseconds(1)), timeout / 2, .seconds(1))
    }

    /// How long a read may wait for a link, and then for its reply: an outage has to be noticed in time.
    internal var timeout: Duration {
      min(connection.address.timeout, max(options.failsAfter ?? .seconds(60), .milliseconds(50)))
    }

    internal func reply(to command: [[UInt8]]) async -> RedisClient.Reply { await connection.client.reply(to: command) }

    /// Returns the command that sets how long an entry has been idle, unless the entry has been delivered again.
    ///
    /// XCLAIM alone would take the entry from the consumer that has it now. A script on the server is the only way to
    /// check first and still send one command. XCLAIM would also remove an entry that is no longer in the stream from
    /// the pending ones.
    internal func claim(_ id: RedisEntryID, _ attempt: Int, idle: Int64, counted count: Int) -> [[UInt8]] {
      words("EVAL", Self.script, 1, stream, group, id, consumer, attempt, idle, count)
    }

    private static let script = """
      local found = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)[1]
      if not found or found[2] ~= ARGV[3] or found[4] ~= tonumber(ARGV[4]) then return 0 end
      if #redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2]) == 0 then return -1 end
      return #redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[3], 0, ARGV[2], 'IDLE', ARGV[5], 'RETRYCOUNT', ARGV[6], 'JUSTID')
      """
  }

  /// Reads a stream for one subscriber, on a link that the server may block.
  internal final class RedisReader: MessageSource {
    internal let source: RedisSource
    private let client: RedisClient
    private let ledger: CreditLedger
    private let state = Guarded(State())

    private struct State {
      /// Whether the server has been asked to wait for entries, or is about to be.
      var isReading = false
      var nextLook = ContinuousClock.now
      var outage = Outage()
    }

    internal init(_ source: RedisSource, _ ledger: CreditLedger) {
      self.source = source
      self.ledger = ledger
      var address = source.connection.address
      address.timeout = source.timeout
      client = RedisClient(address)
      source.connection.readers.add(self) { reader, _ in reader.look() }
    }

    deinit {
      source.connection.readers.remove(self)
      client.close()
    }

    internal func makeSettlement() -> Settlement { Settlement(ledger, source.connection.unsettled) }

    /// Fetches entries, first those that are due again, and waits for a while if there are none.
    ///
    /// - Returns: `nil` when the connection is drained.
    internal func fetch(_ count: Int) async throws(RedisError) -> [RedisDelivery]? {
      let result = await withTaskCancellationHandler {
        await read(count)
      } onCancel: {
        stop()
      }
      return try result.get()
    }

    internal func drop(_ delivery: RedisDelivery) { delivery.drop() }

    private func read(_ count: Int) async -> Result<[RedisDelivery]?, RedisError> {
      if source.connection.isDraining.load(ordering: .acquiring) { return .success(nil) }
      if source.connection.client.isClosed { return .failure(.closed) }
      let start = ContinuousClock.now
      ledger.ask(for: count)
      do throws(RedisError) {
        var entries = try await due(count)
        if entries.isEmpty { entries = try await new(count) }
        state.withLock { $0.outage.end() }
        ledger.use(entries.count)
        ledger.handBack(count - entries.count)
        return .success(entries)
      } catch {
        // Entries that were on their way are due again after the deadline. The next call waits for another link.
        ledger.lose(count)
        return error.isPassing(hosts: source.connection.address.hosts.count)
          ? outage(since: start, error) : .failure(error)
      }
    }

    /// Returns no entries, or the failure if the server has been away for too long.
    private func outage(since start: ContinuousClock.Instant, _ error: RedisError) -> Result<
      [RedisDelivery]?, RedisError
    > {
      let limit = source.options.failsAfter
      let isTooLong = state.withLock { state in
        // It began with the first read that has failed, which somebody waited for.
        state.outage.begin(at: start)
        state.outage.want(at: start)
        return state.outage.isLonger(than: limit)
      }
      guard let limit, isTooLong else { return .success([]) }
      return .failure(
        RedisError(
          .outage,
          """
          The server has not been reached for more than \(limit): see the server, and subscribe again when it is back. \
          \(error.description)
          """))
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
      let pending = try await client.reply(to: look).get().array.map(\.array)
      if pending.isEmpty { return [] }
      // There may be others.
      if pending.count == count { state.withLock { $0.nextLook = .now } }
      var (claim, attempts) = (words("XCLAIM", stream, group, source.consumer, milliseconds), [RedisEntryID: Int]())
      for entry in pending {
        guard entry.count == 4, let id = entry[0].id, let count = entry[3].integer else { continue }
        attempts[id] = count + 1
        claim += words(id)
      }
      return try await client.reply(to: claim).get().array.compactMap { RedisDelivery($0, attempts, self) }
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
      let reply = await result { done in
        client.send(command) { reply in
          // Here, since the task may not continue at once, and an unblock that comes too early is repeated until then.
          self.state.withLock { $0.isReading = false }
          done(reply)
        }
      }
      let streams = try reply.get().array
      return (streams.first?.array.last?.array ?? []).compactMap { RedisDelivery($0, [:], self) }
    }

    /// Ends the reading: the server need not wait any more.
    private func stop() {
      client.close()
      unblock()
    }

    /// Makes the reader look at once for entries that are due.
    internal func look() {
      state.withLock { $0.nextLook = .now }
      unblock()
    }

    /// Ends the waiting of the server, by the other connection.
    private func unblock() {
      guard state.withLock({ $0.isReading }), let id = client.clientID else { return }
      source.connection.client.send(words("CLIENT", "UNBLOCK", id)) { [weak self] result in
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
