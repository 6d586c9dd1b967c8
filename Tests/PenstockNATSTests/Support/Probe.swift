// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  /// Waits until a condition holds that another task or thread brings about.
  func reached(within limit: Duration = .seconds(60), _ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
      if ContinuousClock.now > end { return false }
      try? await ContinuousClock().sleep(for: .milliseconds(2))
    }
    return true
  }

  /// Waits until a condition holds that has to be polled.
  func becomes(within limit: Duration = .seconds(60), _ condition: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
      if ContinuousClock.now > end { return false }
      try? await ContinuousClock().sleep(for: .milliseconds(10))
    }
    return true
  }

  /// A subscriber that records, on any thread.
  final class Probe<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private struct State {
      var values: [Input] = []
      var completion: Subscribers.Completion<Failure>?
      var subscription: (any Subscription)?
      /// The demand that has not been met.
      var demand: Subscribers.Demand
      var unasked = 0
      var isBusy = false
      var overlaps = 0
    }

    private let state: Locked<State>
    private let first: Subscribers.Demand
    private let onValue: @Sendable (Input) -> Void

    init(demand: Subscribers.Demand = .unlimited, onValue: @escaping @Sendable (Input) -> Void = { _ in }) {
      state = Locked(State(demand: demand))
      first = demand
      self.onValue = onValue
    }

    func receive(subscription: any Subscription) {
      state.change { $0.subscription = subscription }
      if first != .none { subscription.request(first) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      state.change { state in
        if state.isBusy { state.overlaps += 1 }
        state.isBusy = true
        state.values.append(input)
        if state.demand == .none { state.unasked += 1 } else { state.demand -= 1 }
      }
      onValue(input)
      state.change { $0.isBusy = false }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { state.change { $0.completion = completion } }

    func request(_ count: Int) {
      state.change { state in
        state.demand += count
        return state.subscription
      }?.request(.max(count))
    }

    func cancel() { state.change { $0.subscription.take() }?.cancel() }

    var values: [Input] { state.value.values }
    var count: Int { state.value.values.count }
    /// Whether no value has come unasked, and no two at the same time.
    var isLawful: Bool { state.value.unasked == 0 && state.value.overlaps == 0 }

    /// Waits for a number of values.
    func values(_ count: Int, within limit: Duration = .seconds(60)) async -> [Input] {
      #expect(await reached(within: limit) { self.count >= count }, "\(self.count) of \(count) have come")
      return values
    }

    /// Waits for the end.
    func end(within limit: Duration = .seconds(60)) async -> Subscribers.Completion<Failure>? {
      _ = await reached(within: limit) { self.state.value.completion != nil }
      return state.value.completion
    }

    func failure(within limit: Duration = .seconds(60)) async -> Failure? {
      if case .failure(let error) = await end(within: limit) { error } else { nil }
    }
  }

  extension Optional {
    mutating func take() -> Wrapped? {
      defer { self = nil }
      return self
    }
  }

  /// Returns a name that no other test uses.
  func uniqueName(_ prefix: String = "S") -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return prefix + String((0..<12).map { _ in letters.randomElement()! })
  }

  func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Returns the error that a closure throws.
  func error(_ body: () async throws -> Void) async -> NATSError? {
    do {
      try await body()
    } catch let error as NATSError {
      return error
    } catch {
      Issue.record(error)
    }
    return nil
  }

  /// A stream with a consumer, of a test.
  struct Stand {
    let server: NATSServer
    let connection: NATSConnection
    let stream: String
    let consumer = "worker"

    init(
      on server: NATSServer? = nil, options: NATSOptions = NATSOptions(),
      _ change: (inout ConsumerConfiguration) -> Void = { _ in }
    ) async throws {
      if let server { self.server = server } else { self.server = try await .shared() }
      connection = try await .connect(to: [self.server.address], options: options)
      stream = uniqueName()
      try await connection.createStream(StreamConfiguration(stream, subjects: ["\(stream).>"]))
      var configuration = ConsumerConfiguration(consumer)
      change(&configuration)
      try await connection.createConsumer(configuration, stream: stream)
    }

    func publish(_ numbers: some Sequence<Int>) async throws {
      for number in numbers { try await connection.publishConfirmed(bytes("\(number)"), to: "\(stream).n") }
    }

    func info() async throws -> ConsumerInfo { try await connection.consumerInfo(consumer, stream: stream) }

    func deliveries(
      batch: ClosedRange<Int> = 1...64, refillAt mark: Int? = nil,
      _ change: (inout NATSDeliveryOptions) -> Void = { _ in }
    ) -> NATSDeliveries {
      var options = NATSDeliveryOptions()
      change(&options)
      return connection.deliveries(stream: stream, consumer: consumer, batch: batch, refillAt: mark, options: options)
    }
  }
#endif
