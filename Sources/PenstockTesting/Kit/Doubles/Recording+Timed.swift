// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Recording {
  /// A call between the publisher and a recording, with its time.
  ///
  /// ```swift
  /// typealias Timed = Recording<String, Never>.Timed
  /// print(Timed.value("gate", at: 0.5), Timed.requested(.max(2), at: 1), Timed.finished(at: 2), separator: "; ")
  /// // Prints "0.5s → value gate; 1s ← request(2); 2s → finished"
  /// ```
  public struct Timed: CustomStringConvertible {
    /// What was called.
    public enum Call {
      /// `receive(subscription:)`.
      case subscription
      /// `receive(_:)`.
      case value(Input)
      /// `receive(completion:)`.
      case completion(Subscribers.Completion<Failure>)
      /// `request(_:)`.
      case requested(Subscribers.Demand)
      /// The demand that `receive(_:)` returned, where it is not `.none`.
      case returned(Subscribers.Demand)
      /// `cancel()`.
      case cancelled
    }

    /// The time of the scheduler at the beginning of the call.
    public let time: VirtualTime

    /// The call.
    public let call: Call

    /// Creates a call with its time.
    public init(time: VirtualTime, call: Call) { (self.time, self.call) = (time, call) }

    /// The subscription, at a time.
    public static func subscription(at time: VirtualTime) -> Self { Self(time: time, call: .subscription) }

    /// A value, at a time.
    public static func value(_ value: Input, at time: VirtualTime) -> Self { Self(time: time, call: .value(value)) }

    /// The completion without a failure, at a time.
    public static func finished(at time: VirtualTime) -> Self { Self(time: time, call: .completion(.finished)) }

    /// The completion with a failure, at a time.
    public static func failure(_ failure: Failure, at time: VirtualTime) -> Self {
      Self(time: time, call: .completion(.failure(failure)))
    }

    /// A request, at a time.
    public static func requested(_ demand: Subscribers.Demand, at time: VirtualTime) -> Self {
      Self(time: time, call: .requested(demand))
    }

    /// Demand that was returned for a value, at a time.
    public static func returned(_ demand: Subscribers.Demand, at time: VirtualTime) -> Self {
      Self(time: time, call: .returned(demand))
    }

    /// A cancel, at a time.
    public static func cancelled(at time: VirtualTime) -> Self { Self(time: time, call: .cancelled) }

    /// The time and the call in words, with an arrow in its direction, as in a ``Trace``.
    public var description: String {
      switch call {
      case .subscription: "\(time) → subscription"
      case .value(let value): "\(time) → value \(value)"
      case .completion(.finished): "\(time) → finished"
      case .completion(.failure(let error)): "\(time) → failure \(error)"
      case .requested(let demand): "\(time) ← request(\(demand.words))"
      case .returned(let demand): "\(time) ← returns \(demand.words)"
      case .cancelled: "\(time) ← cancel()"
      }
    }
  }

  /// The values and the completion with their times; they count as read from then on.
  ///
  /// ```swift
  /// let time = VirtualTimeScheduler()
  /// let recording = ["a", "b"].publisher.delay(for: 0.5, scheduler: time).record(timedBy: time)
  /// time.advance(by: 1)
  /// print(recording.timed == [.value("a", at: 0.5), .value("b", at: 0.5), .finished(at: 0.5)])
  /// // Prints "true"
  /// ```
  ///
  /// Two lists can be compared if the values and the failure can. Otherwise compare the descriptions, as in
  /// `recording.timed.map(\.description)`.
  ///
  /// **Traps:** if the recording was not made on a scheduler.
  public var timed: [Timed] {
    timedCalls.filter {
      switch $0.call {
      case .value, .completion: true
      default: false
      }
    }
  }

  /// Every call in both directions with its time: the subscription, requests and a cancel as well.
  ///
  /// The values and the completion count as read from then on.
  ///
  /// ```swift
  /// let time = VirtualTimeScheduler()
  /// let recording = (1...9).publisher.delay(for: 2, scheduler: time).record(timedBy: time, demand: .max(1))
  /// time.advance(by: 2)
  /// recording.cancel()
  /// for call in recording.timedCalls { print(call) }
  /// // Prints:
  /// // 0s → subscription
  /// // 0s ← request(1)
  /// // 2s → value 1
  /// // 2s ← cancel()
  /// ```
  ///
  /// **Traps:** if the recording was not made on a scheduler.
  public var timedCalls: [Timed] {
    guard store.time != nil else {
      mistake(
        said("A recording keeps times only on a scheduler. Make it by record(timedBy:), with one that tells the time."))
    }
    return store.state.with { state in
      state.read = state.events.count
      return state.timed
    }
  }

  /// Creates a recording of a later stream that keeps the time of each call: see ``timed``.
  ///
  /// - Parameters:
  ///   - name: A name for the stream, with which failures begin.
  ///   - scheduler: The scheduler whose time is recorded.
  ///   - demand: The script of the requests.
  ///   - checks: The conditions that fail the test when the recording ends.
  ///   - file: The file that failures name.
  ///   - line: The line that failures name.
  public convenience init<S: Scheduler & Sendable>(
    _ name: String = "", timedBy scheduler: S, demand: DemandScript = .unlimited, atEnd checks: EndChecks = .default,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    self.init(name, time: virtualTime(of: scheduler), demand, checks, file, line)
  }
}

extension Recording.Timed: Equatable where Input: Equatable, Failure: Equatable {}
extension Recording.Timed: Sendable where Input: Sendable {}
extension Recording.Timed.Call: Equatable where Input: Equatable, Failure: Equatable {}
extension Recording.Timed.Call: Sendable where Input: Sendable {}

extension Publisher {
  /// Subscribes, and records each call with its time.
  ///
  /// ```swift
  /// let (time, typed) = (VirtualTimeScheduler(), PassthroughSubject<String, Never>())
  /// let recording = typed.debounce(for: 0.3, scheduler: time).record("search", timedBy: time)
  /// typed.send("ga")
  /// time.advance(by: 0.1)
  /// typed.send("gate")
  /// time.advance(by: 1)
  /// print(recording.timed)
  /// recording.cancel()
  /// // Prints "[0.4s → value gate]"
  /// ```
  ///
  /// The time of a ``VirtualTimeScheduler`` is that of its clock. The time of another scheduler is counted from the
  /// moment at which the recording is made, unless that scheduler counts ``VirtualTime`` itself. It is as exact as the
  /// scheduler's type of time.
  ///
  /// **Demand:** what the script says; everything, unless told otherwise.
  ///
  /// **Completion:** recorded, as an event that the test reads.
  ///
  /// **Failure:** recorded likewise; one that the test has not read fails it.
  ///
  /// **Concurrency:** the scheduler is asked for the time at the beginning of each call, on its thread, without a lock. It
  /// schedules nothing: values are recorded on the thread that delivers them.
  ///
  /// - Parameters:
  ///   - name: A name for the stream, with which failures begin.
  ///   - scheduler: The scheduler whose time is recorded.
  ///   - demand: The script of the requests.
  ///   - checks: The conditions that fail the test when the recording ends.
  ///   - file: The file that failures name.
  ///   - line: The line that failures name.
  public func record<S: Scheduler & Sendable>(
    _ name: String = "", timedBy scheduler: S, demand: DemandScript = .unlimited, atEnd checks: EndChecks = .default,
    file: StaticString = #filePath, line: UInt = #line
  ) -> Recording<Output, Failure> {
    let recording = Recording<Output, Failure>(
      name, timedBy: scheduler, demand: demand, atEnd: checks, file: file, line: line)
    recording.subscribe(to: self)
    return recording
  }
}
