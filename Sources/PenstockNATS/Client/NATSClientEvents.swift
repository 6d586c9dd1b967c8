// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import Dispatch
  internal import PenstockConcurrency
  internal import PenstockCore
  internal import Synchronization

  /// A change of a connection.
  internal enum ClientChange: Sendable {
    case disconnected
    case connected
    case closed
    /// The user of the connection has asked for its end.
    case draining
    /// The server does not permit something, as its words say.
    case denied(String)
  }

  /// The object that the C client calls when something happens to a connection.
  ///
  /// The client holds a reference until it has reported the end.
  internal final class NATSClientEvents: Sendable {
    private struct State {
      var isConnected = true
      var isClosing = false
      var isClosed = false
      var isDraining = false
      var unsent: NATSError?
      /// When the connection was lost.
      var lossDate: ContinuousClock.Instant?
      var closeWaiters: [UnsafeContinuation<Void, Never>] = []
    }

    /// The secrets that the client asks for whenever it connects.
    internal let secrets = Secrets()
    /// The states for users, sent on a queue on which a subscriber may take its time.
    internal let states = CurrentValueSubject<NATSConnectionState, Never>(.reconnecting)
    /// The objects that are told about changes.
    internal let observers = Observers<ClientChange>()
    private let queue = DispatchQueue(label: "penstock.nats.states")
    private let state = Guarded(State())

    internal var isConnected: Bool { state.withLock { $0.isConnected } }
    internal var isClosed: Bool { state.withLock { $0.isClosed || $0.isClosing } }
    internal var isDraining: Bool { state.withLock { $0.isDraining } }
    internal var lossDate: ContinuousClock.Instant? { state.withLock { $0.lossDate } }

    /// The greatest payload that the server takes; another server may take less.
    internal let maxPayload = AtomicCell(UInt(0))

    internal func begin(_ connection: OpaquePointer) {
      noteLimits(of: connection)
      let address = address(of: connection)
      queue.sync { states.send(.connected(to: address)) }
    }

    private func noteLimits(of connection: OpaquePointer) {
      maxPayload.store(UInt(clamping: natsConnection_GetMaxPayload(connection)), ordering: .relaxed)
    }

    /// Reports that a message has not been published although its call has returned.
    internal func noteUnsent(_ subject: String, _ status: natsStatus) {
      let error = NATSError(status, "What has been published to \(subject) has not been sent")
      state.withLock { if $0.unsent == nil { $0.unsent = error } }
      send(.failed(error))
    }

    /// Returns the first failure to send since the last call of this method.
    internal func takeUnsent() -> NATSError? { state.withLock { $0.unsent.take() } }

    internal func send(_ value: NATSConnectionState) {
      queue.async {
        self.states.send(value)
        if value == .closed { self.states.send(completion: .finished) }
      }
    }

    /// Notes that the connection is to end.
    internal func noteClosing() { state.withLock { $0.isClosing = true } }

    internal func beginDraining() -> Bool {
      let isFirst = state.withLock { state in
        defer { state.isDraining = true }
        return !state.isDraining
      }
      if isFirst { tell(.draining) }
      return isFirst
    }

    /// Waits until the client has reported the end.
    internal func closed() async {
      await state.suspend { state, waiter in
        if state.isClosed { return () }
        state.closeWaiters.append(waiter)
        return nil
      }
    }

    internal func tell(_ change: ClientChange) {
      state.withLock { state in
        switch change {
        case .disconnected:
          state.isConnected = false
          if state.lossDate == nil { state.lossDate = .now }
        case .connected:
          state.isConnected = true
          state.lossDate = nil
        case .closed:
          state.isConnected = false
          state.isClosed = true
        case .draining, .denied: break
        }
      }
      observers.tell(change)
    }

    // MARK: What the client calls

    /// Lets the client call this object, and hold it until `closed` or `giveUp` has been called.
    internal func attach(to options: OpaquePointer) -> natsStatus {
      let context = Unmanaged.passRetained(self).toOpaque()
      NATSContexts.add(1)
      let disconnected: natsConnectionHandler = { @Sendable connection, context in
        NATSClientEvents.of(context)?.disconnected(connection)
      }
      let reconnected: natsConnectionHandler = { @Sendable connection, context in
        guard let events = NATSClientEvents.of(context), let connection else { return }
        events.noteLimits(of: connection)
        events.tell(.connected)
        events.send(.reconnected(to: address(of: connection)))
      }
      let lameDuck: natsConnectionHandler = { @Sendable _, context in NATSClientEvents.of(context)?.send(.lameDuck) }
      let failed: natsErrHandler = { @Sendable connection, _, status, context in
        NATSClientEvents.of(context)?.failed(connection, status)
      }
      let closed: natsConnectionHandler = { @Sendable _, context in
        guard let events = NATSClientEvents.of(context) else { return }
        events.end()
        events.giveUp()
      }
      for status in [
        natsOptions_SetDisconnectedCB(options, disconnected, context),
        natsOptions_SetReconnectedCB(options, reconnected, context),
        natsOptions_SetLameDuckModeCB(options, lameDuck, context),
        natsOptions_SetErrorHandler(options, failed, context), natsOptions_SetClosedCB(options, closed, context),
      ] where status != NATS_OK { return status }
      return NATS_OK
    }

    /// Gives the client's reference back: after the last callback, or if there has been no connection.
    internal func giveUp() {
      NATSContexts.add(-1)
      Unmanaged.passUnretained(self).release()
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> NATSClientEvents? {
      context.map { Unmanaged<NATSClientEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private func disconnected(_ connection: OpaquePointer?) {
      let isClosing = state.withLock { $0.isClosing }
      tell(.disconnected)
      if isClosing { return }
      send(.disconnected(reason: lastError(of: connection)))
      send(.reconnecting)
    }

    private func failed(_ connection: OpaquePointer?, _ status: natsStatus) {
      let text = lastError(of: connection)
      if status == NATS_NOT_PERMITTED || text.contains("ermissions") {
        tell(.denied(text))
        send(
          .failed(NATSError(.permissions, "The server does not permit it: \(text). See the permissions of the user.")))
      } else {
        send(.failed(NATSError(status, "The connection has a problem (\(text))")))
      }
    }

    private func end() {
      tell(.closed)
      send(.closed)
      for waiter in state.withLock({ exchange(&$0.closeWaiters, with: []) }) { waiter.resume() }
    }

    private func lastError(of connection: OpaquePointer?) -> String {
      var text: UnsafePointer<CChar>?
      guard let connection, natsConnection_GetLastError(connection, &text) != NATS_OK || text != nil, let text else {
        return "no reason given"
      }
      let words = String(cString: text).withoutSecrets
      return words.isEmpty ? "no reason given" : words
    }
  }

  /// The address of the server of a connection, without a password.
  internal func address(of connection: OpaquePointer) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      guard natsConnection_GetConnectedUrl(connection, buffer.baseAddress, 512) == NATS_OK else { return "" }
      return ServerAddress(String(cString: buffer.baseAddress!)).text
    }
  }
#endif
