// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A recording of a stream: its values and its end, both roads of demand, and every step that breaks a rule.
///
/// ```swift
/// let recording = (1...3).publisher.record(demand: .max(2))
/// try recording.expectNext(1, 2)
/// try recording.expectNothing()
/// recording.request(.max(1))
/// try recording.expectNext(3)
/// try recording.expectFinished()
/// try recording.finish()
/// print(recording.ledger)
/// // Prints "granted 3 (requested 3, returned 0), delivered 3"
/// ```
///
/// A test reads the events in order, by ``expectNext(_:file:line:)`` and the other expectations, by
/// ``next(_:within:file:line:)``, or all at once by ``values`` and ``completion``. At the end, which is
/// ``finish(file:line:)`` or the release of the recording, these fail the test, with the line on which the recording
/// was made: values and failures that the test has not read, a subscription that is still alive, and a rule that was
/// broken. `atEnd:` selects the ones that count.
///
/// Recording a stream does not change it: a value that nobody requested is recorded like any other.
///
/// A recording may have a name, with which its failures begin, so that a test can distinguish several streams. A
/// recording that is made on a scheduler, by ``PenstockCore/Publisher/record(_:timedBy:demand:atEnd:file:line:)``,
/// keeps the time of each call: see ``timed``.
///
/// **Concurrency:** may be used on any thread. No lock is held while anything else runs.
public final class Recording<Input, Failure: Error>: Sendable {
  /// An event that a test can read.
  public enum Event {
    /// A value.
    case value(Input)
    /// The completion.
    case completion(Subscribers.Completion<Failure>)

    /// The completion without a failure.
    public static var finished: Self { .completion(.finished) }

    /// The completion with a failure.
    public static func failure(_ failure: Failure) -> Self { .completion(.failure(failure)) }
  }

  /// The name with which failures begin; empty if there is none.
  public let name: String

  let probe: Probe
  let store: RecordingStore<Input, Failure>
  let checks: EndChecks
  let file: StaticString
  let line: UInt
  private let isFinished = Locked(false)

  /// Creates a recording of a later stream: see ``subscribe(to:)``.
  ///
  /// - Parameters:
  ///   - name: A name for the stream, with which failures begin.
  ///   - demand: The script of the requests.
  ///   - checks: The conditions that fail the test when the recording ends.
  ///   - file: The file that failures name.
  ///   - line: The line that failures name.
  public convenience init(
    _ name: String = "", demand: DemandScript = .unlimited, atEnd checks: EndChecks = .default,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    self.init(name, time: nil, demand, checks, file, line)
  }

  init(
    _ name: String, time: (@Sendable () -> VirtualTime)?, _ demand: DemandScript, _ checks: EndChecks,
    _ file: StaticString, _ line: UInt
  ) {
    (self.name, self.checks, self.file, self.line) = (name, checks, file, line)
    let (probe, store) = (Probe(), RecordingStore<Input, Failure>(time: time))
    (self.probe, self.store) = (probe, store)
    probe.onSubscription = { if demand.initial > .none { store.request(demand.initial, by: $0) } }
    probe.onValue = { probe, number in
      demand.act(after: number, request: { store.request($0, by: probe) }, cancel: { store.cancel(by: probe) })
    }
  }

  deinit {
    if !isFinished.value, let failure = failureAtEnd(file: file, line: line) { failure.report() }
    if probe.state.with({ $0.automaton.isLive }) { probe.cancel() }
  }

  /// Subscribes to a publisher; a recording can do so once.
  public func subscribe<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure {
    publisher.subscribe(RecordingSubscriber(probe: probe, store: store))
  }

  /// The recording as a subscriber, where a test has to pass one.
  public var subscriber: AnySubscriber<Input, Failure> {
    AnySubscriber(RecordingSubscriber(probe: probe, store: store))
  }

  // MARK: What the test does

  /// Requests values.
  public func request(_ demand: Subscribers.Demand) { store.request(demand, by: probe) }

  /// Cancels the subscription.
  public func cancel() { store.cancel(by: probe) }

  /// Releases the subscription, as a subscriber does that no longer needs it, to test what is released then.
  public func dropSubscription() { probe.dropSubscriptions() }

  /// Ends the recording, and throws if one of its ``EndChecks`` is not met.
  public func finish(file: StaticString = #filePath, line: UInt = #line) throws {
    isFinished.with { $0 = true }
    if let failure = failureAtEnd(file: file, line: line) { throw failure }
  }

  // MARK: What was recorded

  /// All events, which count as read from then on.
  public var events: [Event] {
    store.state.with { state in
      state.read = state.events.count
      return state.events
    }
  }

  /// All values, which count as read from then on.
  public var values: [Input] {
    store.state.with { state in
      // A completion after them is an event of its own, to be read separately.
      state.read = Swift.max(state.read, state.hasEnded ? state.events.count - 1 : state.events.count)
      return state.events.compactMap { if case .value(let value) = $0 { value } else { nil } }
    }
  }

  /// The completion, if it has come; it, and everything before it, counts as read from then on.
  public var completion: Subscribers.Completion<Failure>? {
    store.state.with { state in
      guard case .completion(let completion) = state.events.last else { return nil }
      state.read = state.events.count
      return completion
    }
  }

  /// The demand granted by both roads, and the number of values delivered.
  public var ledger: Ledger { probe.ledger }

  /// Every call in both directions, in order.
  public var trace: Trace {
    probe.state.with { state in
      Trace(state.events, mark: state.breaches.first.map { ($0.event, $0.breach.text) })
    }
  }

  /// The signals that came after the completion, or after a cancel.
  public var lateEvents: [StreamEvent] {
    probe.state.with { state in
      let rules: [Rule] = [.silenceAfterCancel, .silenceAfterCompletion]
      return state.breaches.filter { rules.contains($0.breach.rule) }.map { state.events[$0.event] }
    }
  }

  /// The greatest number of values that were being delivered at the same time on one thread: more than 1 is a
  /// recursion.
  public var maxDepth: Int { probe.maxDepth }

  /// The number of threads on which the subscriber was called, or made calls.
  public var threads: Int { probe.state.with { $0.threads.count } }

  /// The rules that this stream has broken, each in a sentence.
  public var brokenRules: [String] { probe.breaches.map { "\($0.rule.id) \($0.rule.title): \($0.text)" } }

  /// The number of times that the stream was cancelled.
  public var cancels: Int { probe.state.with { $0.automaton.cancels } }

  /// Whether there is a subscription that has neither been cancelled nor completed.
  public var isLive: Bool { probe.state.with { $0.automaton.isLive } }
}

extension Recording.Event: Equatable where Input: Equatable, Failure: Equatable {}
extension Recording.Event: Sendable where Input: Sendable {}

extension Publisher {
  /// Subscribes, and records the stream.
  ///
  /// ```swift
  /// let recording = ["a", "b"].publisher.record()
  /// print(recording.values)
  /// // Prints "["a", "b"]"
  /// ```
  ///
  /// **Demand:** what the script says; everything, unless told otherwise.
  ///
  /// **Completion:** recorded, as an event that the test reads.
  ///
  /// **Failure:** recorded likewise; one that the test has not read fails it.
  ///
  /// **Concurrency:** values are recorded on the thread that delivers them, and may be read on any.
  ///
  /// - Parameters:
  ///   - name: A name for the stream, with which failures begin.
  ///   - demand: The script of the requests.
  ///   - checks: The conditions that fail the test when the recording ends.
  ///   - file: The file that failures name.
  ///   - line: The line that failures name.
  public func record(
    _ name: String = "", demand: DemandScript = .unlimited, atEnd checks: EndChecks = .default,
    file: StaticString = #filePath, line: UInt = #line
  ) -> Recording<Output, Failure> {
    let recording = Recording<Output, Failure>(name, demand: demand, atEnd: checks, file: file, line: line)
    recording.subscribe(to: self)
    return recording
  }
}
