// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import CHiredis
  internal import PenstockConcurrency
  internal import PenstockCore
  internal import PenstockOperators

  /// A link to a server, with the thread that hiredis blocks: it sends what is queued all at once, and then reads the replies
  /// in their order.
  ///
  /// When the link is lost, commands that have been sent fail. The thread connects again, with longer and longer
  /// pauses; commands that have not been sent wait for that until their time is over.
  internal final class RedisClient: Sendable {
    internal typealias Reply = Result<RedisReply, RedisError>
    private typealias Context = UnsafeMutablePointer<redisContext>

    private struct Command: Sendable {
      let words: [[UInt8]]
      let limit: ContinuousClock.Instant
      let completion: @Sendable (Reply) -> Void
    }

    private struct State {
      var queue: [Command] = []
      var hasStarted = false
      var isClosed = false
      /// The server's number of this connection; `nil` while there is none.
      var clientID: Int?
      /// The place of the server that was connected last.
      var place = 0
    }

    /// The pauses between attempts to connect.
    private static let pauses = RetryPolicy.exponential(.max, initial: .milliseconds(20), ceiling: .seconds(2))

    private let address: RedisAddress
    /// Whether a failure of the first attempt to connect ends the link.
    private let failsAtFirst: Bool
    private let state = Guarded(State())
    private let pipe = WakingPipe()

    internal init(_ address: RedisAddress, failsAtFirst: Bool = false) {
      self.address = address
      self.failsAtFirst = failsAtFirst
    }

    deinit { pipe.closeEnds() }

    internal var clientID: Int? { state.withLock { $0.clientID } }
    internal var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Sends a command; the first one starts the thread.
    ///
    /// - Parameter completion: Called once, on the thread of the link, or at once after the end.
    internal func send(_ words: [[UInt8]], _ completion: @escaping @Sendable (Reply) -> Void) {
      let command = Command(words: words, limit: .now + address.timeout, completion: completion)
      let (isClosed, isIdle, isFirst) = state.withLock { state in
        if state.isClosed { return (true, false, false) }
        state.queue.append(command)
        return (false, state.queue.count == 1, !exchange(&state.hasStarted, with: true))
      }
      if isClosed { return completion(.failure(.closed)) }
      if isFirst, !onThread(named: "redis:\(address.hosts[0].port)", { self.run() }) {
        fail(all: true, RedisError(.unreachable, "The system makes no more threads: use fewer subscribers."))
      }
      // The call that queued the others has woken the thread.
      if isIdle { pipe.wake() }
    }

    /// Sends a command, and waits for its reply.
    internal func reply(to words: [[UInt8]]) async -> Reply {
      await result { done in send(words, done) }
    }

    /// Ends the link when the queued commands are done, or at once if it is not connected.
    internal func close() {
      state.withLock { $0.isClosed = true }
      pipe.wake()
    }

    // MARK: The thread

    private func run() {
      var (retry, mayGiveUp) = (0, failsAtFirst)
      var error = RedisError.closed
      while !isClosed {
        do throws(RedisError) {
          if serve(try connect()) { retry = 0 }
          error = RedisError(.unreachable, "The link to \(address) has been lost.")
          mayGiveUp = false
        } catch let failure {
          error = failure
          if mayGiveUp { return fail(all: true, error) }
        }
        // The clients of a server that has come back should not all connect at the same time.
        let end = ContinuousClock.now + Self.pauses.delay(beforeRetry: retry) * Double.random(in: 0.5...1)
        retry += 1
        while ContinuousClock.now < end, !isClosed {
          // Looks for commands whose time is over.
          _ = pipe.wait(atMost: min(ContinuousClock.now.duration(to: end), .milliseconds(50)))
          fail(error)
        }
      }
      fail(all: true, .closed)
    }

    /// Fails the waiting commands whose time is over, or all of them, after which no others are accepted.
    private func fail(all: Bool = false, _ error: RedisError) {
      let late = state.withLock { state in
        if all { state.isClosed = true }
        let first = state.queue.firstIndex { !all && $0.limit > .now } ?? state.queue.count
        defer { state.queue.removeFirst(first) }
        return state.queue.prefix(first)
      }
      for command in late { command.completion(.failure(error)) }
    }

    /// Connects to the first server that takes writes, beginning with the last one that did.
    private func connect() throws(RedisError) -> Context {
      let first = state.withLock { $0.place }
      var failure = RedisError.closed
      for step in 0..<address.hosts.count where !isClosed {
        let place = (first + step) % address.hosts.count
        do throws(RedisError) {
          let context = try connect(to: address.hosts[place])
          state.withLock { $0.place = place }
          return context
        } catch {
          failure = error
        }
      }
      throw failure
    }

    private func connect(to host: RedisHost) throws(RedisError) -> Context {
      let place = "\(host)"
      guard let context = redisConnectWithTimeout(host.name, Int32(clamping: host.port), address.timeout.timeval)
      else { throw RedisError(.unreachable, "There is no memory for a link to \(place).") }
      var failure = context.text.map {
        RedisError(.unreachable, "\(place) can't be reached: \($0). Does the server run?")
      }
      if failure == nil {
        // Without them, the loss of a server might never be noticed.
        if redisSetTimeout(context, address.timeout.timeval) != REDIS_OK || redisEnableKeepAlive(context) != REDIS_OK {
          failure = RedisError(.unreachable, "The link to \(place) can't be given a time limit: \(context.text ?? "").")
        }
      }
      for words in address.greeting where failure == nil {
        guard append(words, to: context) else {
          failure = RedisError(.unreachable, "There is no memory for a link to \(place).")
          break
        }
        switch reply(from: context) {
        case .success(.integer(let id)): state.withLock { $0.clientID = id }
        // The answer to the question for the server's role.
        case .success(.array(let role)) where role.first?.bytes != Array("master".utf8): failure = .replica(place)
        case .success: break
        case .failure(let error): failure = error
        case nil: failure = RedisError(.unreachable, "\(place) does not reply: \(context.text ?? "").")
        }
      }
      guard let failure else { return context }
      state.withLock { $0.clientID = nil }
      redisFree(context)
      throw failure
    }

    /// Sends commands and reads replies, until the link is lost or closed.
    ///
    /// - Returns: Whether there were any replies.
    private func serve(_ context: Context) -> Bool {
      defer {
        state.withLock { $0.clientID = nil }
        redisFree(context)
      }
      var (hasReplied, isReplica) = (false, false)
      while true {
        let (commands, isClosed) = state.withLock { (exchange(&$0.queue, with: []), $0.isClosed) }
        // The server sends nothing unasked, so this is the end of the link.
        if commands.isEmpty, isClosed || pipe.wait(socket: context.pointee.fd) { return hasReplied }
        // A command that can't be put into the buffer would shift the replies.
        if !commands.allSatisfy({ append($0.words, to: context) }) {
          for command in commands { command.completion(.failure(.disconnected("there is no memory for a command"))) }
          return hasReplied
        }
        for (index, command) in commands.enumerated() {
          guard let reply = reply(from: context) else {
            for command in commands[index...] { command.completion(.failure(.disconnected(context.text))) }
            return hasReplied
          }
          hasReplied = true
          if case .failure(let error) = reply, error.reason == .readOnly { isReplica = true }
          command.completion(reply)
        }
        // Another server may take writes by now.
        if isReplica, address.hosts.count > 1 { return hasReplied }
      }
    }

    private func append(_ words: [[UInt8]], to context: Context) -> Bool {
      // One buffer for all words, since the lengths say where each begins.
      words.joined().map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { bytes in
        var (start, starts) = (bytes.baseAddress, [UnsafePointer<CChar>?]())
        for word in words {
          starts.append(start)
          start = start.map { $0 + word.count }
        }
        return redisAppendCommandArgv(context, Int32(words.count), &starts, words.map(\.count)) == REDIS_OK
      }
    }

    private func reply(from context: Context) -> Reply? {
      var pointer: UnsafeMutableRawPointer?
      guard redisGetReply(context, &pointer) == REDIS_OK, let pointer else { return nil }
      defer { freeReplyObject(pointer) }
      return RedisReply.result(of: pointer.assumingMemoryBound(to: redisReply.self).pointee)
    }
  }

  extension UnsafeMutablePointer<redisContext> {
    /// The error of a link that is lost.
    fileprivate var text: String? {
      if pointee.err == 0 { return nil }
      return withUnsafeBytes(of: pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
  }

  /// Returns the words of a command, which may have any bytes.
  internal func words(_ words: any CustomStringConvertible...) -> [[UInt8]] { words.map { Array($0.description.utf8) } }
#endif
