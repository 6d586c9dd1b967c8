// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The sources and the time of a running ``MarbleDiagram``.
///
/// The closure of ``MarbleDiagram/verify(values:_:)`` gets it, and makes the publisher under test from its sources.
///
/// **Concurrency:** must be used on the thread that runs the diagram.
public final class MarbleBench<SchedulerTimeType: Strideable, SchedulerOptions>
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// The scheduler whose time is that of the diagram: for operators of time.
  public let scheduler: VirtualTimeScheduler<SchedulerTimeType, SchedulerOptions>

  internal let diagram: MarbleDiagram
  internal let timeline: MarbleTimeline
  /// The date of a step.
  private let date: (_ step: Int) -> SchedulerTimeType
  private var isRunning = false
  private var sources: [String: AnyObject] = [:]
  /// The closures that start the sources that send whether or not anybody listens.
  private var starts: [String: () -> Void] = [:]
  internal private(set) var outputs: [String: MarbleOutput] = [:]
  private var mistakes: [any Error] = []
  /// The name of a source that was not used while the diagram ran.
  internal private(set) var unused: String?

  internal init(_ diagram: MarbleDiagram, scheduler: VirtualTimeScheduler<SchedulerTimeType, SchedulerOptions>) {
    self.diagram = diagram
    self.scheduler = scheduler
    let (start, nanoseconds) = (scheduler.now, diagram.step.nanoseconds)
    let date = { (step: Int) in start.advanced(by: .nanoseconds(nanoseconds * step)) }
    self.date = date
    timeline = MarbleTimeline { step, action in scheduler.schedule(after: date(step), action) }
  }

  // MARK: What a test uses

  /// Returns the publisher of a line.
  ///
  /// By default its values are the symbols themselves, and its failures are ``MarbleFailure``s. A line has one
  /// publisher, however often it is asked for. A mistake, such as a name that no line has, is thrown when the diagram
  /// has run.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``MarbleSource``.
  ///
  /// - Parameters:
  ///   - name: The name of the line.
  ///   - values: The values that its symbols stand for.
  ///   - failures: The failures that `#` stands for; ``MarbleFailures/none`` for a publisher that cannot fail.
  public func source<Output, Failure: Error>(
    _ name: String = "source", values: MarbleValues<Output> = MarbleValues<String>.symbols,
    failures: MarbleFailures<Failure> = MarbleFailures<MarbleFailure>.named
  ) -> MarbleSource<Output, Failure> {
    if let known = sources[name] as? MarbleSource<Output, Failure> { return known }
    if sources[name] != nil {
      mistakes.append(
        MarbleUsageError("The line “\(name)” is used with two types of values or failures. Use one of them."))
    }
    let lane = diagram.lanes.first { $0.name == name && $0.role == .source }
    if lane == nil {
      let names = diagram.lanes.filter { $0.role == .source }.map { "“\($0.name)”" }.joined(separator: ", ")
      mistakes.append(
        MarbleUsageError("No line is called “\(name)”. The sources are \(names.isEmpty ? "missing" : names)."))
    }
    let source = MarbleSource<Output, Failure>(
      lane: lane ?? MarbleLane(name: name, marks: []), timeline: timeline
    ) { mark in
      switch mark.event {
      case .value(let symbol):
        if let value = values.value(symbol) { return .value(value) }
        note("“\(symbol)” stands for no value", allowed: "what “values” has a \(Output.self) for", at: mark)
      case .failed(let name):
        if let failure = failures.failure(name) { return .completion(.failure(failure)) }
        note("“\(mark.event)” stands for no failure", allowed: "what “failures” has a \(Failure.self) for", at: mark)
      case .finished: return .completion(.finished)
      case .subscribed, .cancelled, .requested: break
      }
      return nil
    }
    sources[name] = source
    if isRunning { source.start() } else { starts[name] = { source.start() } }
    return source
  }

  /// Subscribes to one more publisher, with the lines of a subscriber.
  ///
  /// All other subscribers subscribe to the publisher that the closure returns.
  ///
  /// ```swift
  /// let diagram = try MarbleDiagram(
  ///   """
  ///   source         a-B-c-|
  ///   expected       a---c-|
  ///   expected.rest  --B---|
  ///   """)
  /// try diagram.verify { bench in
  ///   bench.subscribe("rest", to: bench.source().filter { $0 != $0.lowercased() })
  ///   return bench.source().filter { $0 == $0.lowercased() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - subscriber: The name of the subscriber: its lines are called `expected.`*name* and `demand.`*name*.
  ///   - publisher: The publisher that it subscribes to.
  ///   - values: The values that the symbols of its line stand for; by default, the line has the descriptions of the
  ///     values.
  public func subscribe<P: Publisher>(
    _ subscriber: String, to publisher: P, values: MarbleValues<P.Output> = .described
  ) {
    outputs[subscriber] = MarbleOutput(publisher, values: values)
  }

  /// Runs a closure at a step, before anything else happens there.
  public func at(_ step: Int, _ action: @escaping () -> Void) { timeline.schedule(at: step, action) }

  // MARK: The run

  /// Runs the diagram with a publisher for the subscribers that have none of their own.
  internal func run<P: Publisher>(_ publisher: P, values: MarbleValues<P.Output>) throws {
    for subscriber in diagram.subscribers where outputs[subscriber] == nil {
      outputs[subscriber] = MarbleOutput(publisher, values: values)
    }
    defer { end() }
    if let mistake = mistakes.first { throw mistake }
    timeline.offStep = { [self] in scheduler.now == date(timeline.step) ? nil : "\(scheduler.now)" }
    // In each step the subscribers act first; then the sources send, in the order of the lines.
    for subscriber in diagram.subscribers { outputs[subscriber]?.schedule(subscriber, diagram, timeline) }
    for lane in diagram.lanes { starts[lane.name]?() }
    isRunning = true
    for step in 0..<diagram.length {
      timeline.step = step
      scheduler.advance(to: date(step))
    }
    unused = diagram.lanes.first { $0.role == .source && sources[$0.name] == nil }?.name
    if let lane = timeline.thread.firstStranger {
      mistakes.append(
        MarbleUsageError(
          """
          Something happened in “\(lane)” on another thread. A diagram runs on one thread: give the pipeline the scheduler of \
          the bench in place of a queue.
          """))
    }
    if let between = timeline.between {
      mistakes.append(
        MarbleUsageError(
          """
          Something happened in “\(between.lane)” between two steps, at \(between.time). Write a line “step” with the \
          length of a step in which that is a whole number of steps.
          """))
    }
    if let mistake = mistakes.first { throw mistake }
  }

  /// Releases everything: the publishers may use the bench.
  private func end() {
    timeline.isOver = true
    timeline.offStep = { nil }
    for output in outputs.values { output.cancel() }
    (sources, starts) = ([:], [:])
    outputs = outputs.mapValues(\.ended)
  }

  private func note(_ problem: String, allowed: String, at mark: MarbleLane.Mark) {
    mistakes.append(
      MarbleSyntaxError(problem, allowed: allowed, at: mark.place ?? MarblePlace(line: 0, column: 0), in: diagram.text))
  }
}
