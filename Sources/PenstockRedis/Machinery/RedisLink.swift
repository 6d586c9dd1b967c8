// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import CHiredis
  internal import PenstockCore

  /// Where a server is, and how to get in.
  internal struct RedisAddress: Sendable {
    internal let host: String
    internal let port: Int
    internal let login: [[UInt8]]?
    internal let database: Int
    internal let timeout: Duration
  }

  /// A connection to a server, with the thread that hiredis blocks: it sends what is queued all at once, and then reads the
  /// replies in their order.
  ///
  /// While the link is lost it connects again, later and later. What has not been sent waits for that until its time is
  /// over; what has been sent fails.
  internal final class RedisLink: Sendable {
    internal typealias Completion = @Sendable (Result<RedisReply, RedisError>) -> Void

    private struct Command: Sendable {
      let words: [[UInt8]]
      let limit: ContinuousClock.Instant
      let completion: Completion
    }

    private struct State {
      var queue: [Command] = []
      var isClosed = false
      /// The server's number of this connection; `nil` while there is none.
      var clientID: Int?
    }

    private let address: RedisAddress
    /// How much longer than others a command may take, because the server is told to wait.
    private let patience: Duration
    private let state = Guarded(State())
    private let pipe = WakingPipe()

    internal init(_ address: RedisAddress, patience: Duration = .zero) {
      self.address = address
      self.patience = patience
    }

    deinit { pipe.close() }

    internal var clientID: Int? { state.withLock { $0.clientID } }

    /// Starts the thread.
    ///
    /// - Parameter onOpen: Called with how the first attempt ends: a failure closes the link. Without it, attempts go on.
    internal func start(_ onOpen: (@Sendable (RedisError?) -> Void)? = nil) {
      if onThread(named: "redis:\(address.port)", { self.run(onOpen) }) { return }
      close()
      onOpen?(RedisError(.unreachable, "The system makes no more threads: use fewer connections and subscribers."))
    }

    /// Sends a command.
    ///
    /// - Parameter completion: Called once, on the thread of the link, or at once after the end.
    internal func send(_ words: [[UInt8]], _ completion: @escaping Completion) {
      let command = Command(words: words, limit: .now + address.timeout, completion: completion)
      let (isClosed, wasEmpty) = state.withLock { state in
        defer { if !state.isClosed { state.queue.append(command) } }
        return (state.isClosed, state.queue.isEmpty)
      }
      if isClosed { return completion(.failure(Self.closed)) }
      // Whoever queued the others has woken the thread.
      if wasEmpty { pipe.wake() }
    }

    /// Sends a command, and waits for its reply.
    internal func send(_ words: [[UInt8]]) async throws(RedisError) -> RedisReply {
      let result: Result<RedisReply, RedisError> = await withUnsafeContinuation { waiter in
        send(words) { waiter.resume(returning: $0) }
      }
      return try result.get()
    }

    /// Ends the link: nothing more is sent, and the thread ends when what has been sent has its replies.
    internal func close() {
      let queue = state.withLock { state in
        state.isClosed = true
        return exchange(&state.queue, with: [])
      }
      pipe.wake()
      for command in queue { command.completion(.failure(Self.closed)) }
    }

    private static let closed = RedisError(.closed, "The connection is closed: make another one.")

    // MARK: The thread

    private func run(_ onOpen: (@Sendable (RedisError?) -> Void)?) {
      var onOpen = onOpen
      var context: UnsafeMutablePointer<redisContext>?
      var pause = Duration.zero
      defer { redisFree(context) }
      while true {
        guard let open = context else {
          if state.withLock({ $0.isClosed }) { return }
          do throws(RedisError) {
            context = try connect()
            onOpen.take()?(nil)
          } catch {
            if let report = onOpen.take() {
              close()
              report(error)
            }
            wait(out: &pause, error)
          }
          continue
        }
        let (commands, isClosed) = state.withLock { (exchange(&$0.queue, with: []), $0.isClosed) }
        var isLost = false
        if !commands.isEmpty {
          isLost = !exchangeMessages(commands, open)
          if !isLost { pause = .zero }
        } else if isClosed {
          return
        } else {
          // Nothing comes unasked, so that it is the end of the link.
          isLost = pipe.wait(socket: open.pointee.fd)
        }
        if isLost {
          state.withLock { $0.clientID = nil }
          redisFree(open)
          context = nil
          wait(out: &pause, RedisError(.unreachable, "The link to the server was lost."))
        }
      }
    }

    /// Waits before the next attempt, longer each time, and fails commands whose time is over.
    private func wait(out pause: inout Duration, _ error: RedisError) {
      pause = min(max(pause * 2, .milliseconds(20)), .seconds(2))
      // Not all clients of a server that has come back shall connect at the same time.
      let end = ContinuousClock.now + pause * Double.random(in: 0.5...1)
      while true {
        let now = ContinuousClock.now
        let (late, isClosed) = state.withLock { state in
          let late = state.queue.filter { $0.limit <= now }
          state.queue.removeAll { $0.limit <= now }
          return (late, state.isClosed)
        }
        for command in late { command.completion(.failure(error)) }
        if isClosed || now >= end { return }
        _ = pipe.wait(atMost: now.duration(to: end))
      }
    }

    private func connect() throws(RedisError) -> UnsafeMutablePointer<redisContext> {
      let place = "\(address.host):\(address.port)"
      guard
        let context = redisConnectWithTimeout(address.host, Int32(clamping: address.port), timeval(address.timeout))
      else { throw RedisError(.unreachable, "There is no memory for a connection to \(place).") }
      var failure: RedisError?
      if context.pointee.err == 0 {
        redisSetTimeout(context, timeval(address.timeout))
        redisEnableKeepAlive(context)
        var commands = [address.login, words("SELECT", address.database), words("CLIENT", "ID"), words("PING")]
        // A server that has only begun says so to the last one.
        if address.database == 0 { commands.remove(at: 1) }
        var id: Int?
        for words in commands.compactMap(\.self) where failure == nil {
          append(words, to: context)
          switch reply(from: context) {
          case .error(let text): failure = RedisError(reply: text)
          case .integer(let number): id = number
          case nil: failure = RedisError(.unreachable, "\(place) does not reply: \(Self.text(of: context)).")
          default: break
          }
        }
        state.withLock { $0.clientID = id }
        redisSetTimeout(context, timeval(address.timeout + patience))
      } else {
        failure = RedisError(
          .unreachable, "\(place) can't be reached: \(Self.text(of: context)). Is the server running?")
      }
      guard let failure else { return context }
      redisFree(context)
      throw failure
    }

    /// Sends commands, and reads the replies.
    ///
    /// - Returns: Whether all have come. If not, the link is lost.
    private func exchangeMessages(_ commands: [Command], _ context: UnsafeMutablePointer<redisContext>) -> Bool {
      for command in commands { append(command.words, to: context) }
      var isLost = false
      for command in commands {
        switch isLost ? nil : reply(from: context) {
        case .error(let text): command.completion(.failure(RedisError(reply: text)))
        case let reply?: command.completion(.success(reply))
        case nil:
          isLost = true
          command.completion(
            .failure(
              RedisError(
                .disconnected,
                "The link was lost (\(Self.text(of: context))) before the reply: the command may have been carried out."
              )))
        }
      }
      return !isLost
    }

    private func append(_ words: [[UInt8]], to context: UnsafeMutablePointer<redisContext>) {
      // One memory for all of them, since the lengths say where each begins.
      words.flatMap(\.self).withUnsafeBytes { bytes in
        var start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        var starts: [UnsafePointer<CChar>?] = []
        for word in words {
          starts.append(start)
          start = start.map { $0 + word.count }
        }
        redisAppendCommandArgv(context, Int32(words.count), &starts, words.map(\.count))
      }
    }

    private func reply(from context: UnsafeMutablePointer<redisContext>) -> RedisReply? {
      var pointer: UnsafeMutableRawPointer?
      guard redisGetReply(context, &pointer) == REDIS_OK, let pointer else { return nil }
      defer { freeReplyObject(pointer) }
      return RedisReply(pointer.assumingMemoryBound(to: redisReply.self).pointee)
    }

    private static func text(of context: UnsafeMutablePointer<redisContext>) -> String {
      withUnsafeBytes(of: context.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
  }

  extension timeval {
    fileprivate init(_ duration: Duration) {
      // hiredis takes no more than so many days.
      let milliseconds = min(duration.milliseconds, 86_400_000)
      self.init(tv_sec: numericCast(milliseconds / 1_000), tv_usec: numericCast(milliseconds % 1_000 * 1_000))
    }
  }
#endif
