// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Prints pipelines, and the plan of their subscriber, as a test that compiles.
enum StepPrinter {
  /// Returns a test that a pipeline does the same as the reference.
  static func test(_ tree: StepTree, _ plan: StepPlan, expected: StepLog, found: StepLog) -> String {
    let lines = expected.lines.map { "    \"\($0)\"," }.joined(separator: "\n")
    let comment = found.lines.map { "  // \($0)" }.joined(separator: "\n")
    return """
      \(prelude)
      @Test func `A pipeline that the fuzz has found`() throws {
      \(run(subjects: tree.subjects, plan, pipeline: tree.swift))
        // The reference.
        #expect(\(expected.isOpen ? "Array(noted.lines.prefix(1))" : "noted.lines") == [
      \(lines)
        ])
        // The library:
      \(comment)
      }
      """
  }

  /// Returns a test that two pipelines do the same.
  ///
  /// - Parameter lines: The part of the log that is compared, as an expression of `noted`.
  static func test(_ name: String, _ trees: [StepTree], _ plan: StepPlan, left: String, right: String, lines: String)
    -> String
  {
    let subjects = trees.reduce(into: [:]) { $0.merge($1.subjects) { line, _ in line } }
    return """
      \(prelude)
      @Test func `\(name)`() throws {
        func log(isLeft: Bool) throws -> [String] {
      \(run(subjects: subjects, plan, pipeline: "isLeft\n    ? (\(left)).eraseToAnyPublisher()\n    : (\(right)).eraseToAnyPublisher()"))
          return \(lines)
        }
        let (left, right) = (try log(isLeft: true), try log(isLeft: false))
        #expect(left == right)
      }
      """
  }

  /// Returns a test that a pipeline delivers the same values as its sources.
  static func test(conserving tree: StepTree, _ plan: StepPlan, found: StepLog) -> String {
    let comment = found.lines.map { "  // \($0)" }.joined(separator: "\n")
    return """
      \(prelude)
      @Test func `A pipeline neither loses nor makes values.`() throws {
      \(run(subjects: tree.subjects, plan, pipeline: tree.swift))
        #expect(noted.values.sorted() == noted.sources.flatMap(\\.values).sorted())
        // The library:
      \(comment)
      }
      """
  }

  private static func run(subjects: [Int: Timeline], _ plan: StepPlan, pipeline: String) -> String {
    var lines = ["let clock = VirtualTimeScheduler()", "let noted = Noted(clock)"]
    for (id, line) in subjects.sorted(by: { $0.key < $1.key }) {
      lines.append("let s\(id) = PassthroughSubject<Int, ModelError>()")
      for moment in line.moments {
        lines.append(
          "clock.schedule(after: VirtualTime(nanoseconds: \(moment.time))) { s\(id).send(\(moment.value)) }")
      }
      guard let end = line.end else { continue }
      let completion = end.isFailure ? ".failure(ModelError())" : ".finished"
      lines.append(
        "clock.schedule(after: VirtualTime(nanoseconds: \(end.time))) { s\(id).send(completion: \(completion)) }")
    }
    lines.append("let pipeline = (\(pipeline)).eraseToAnyPublisher()")
    lines.append("var (subscription, count) = ((any Subscription)?.none, 0)")
    for request in plan.requests {
      lines.append(
        "clock.schedule(after: VirtualTime(nanoseconds: \(request.time))) "
          + "{ subscription?.request(\(request.amount.swift)) }")
    }
    if case .at(let time) = plan.cancel {
      lines.append("clock.schedule(after: VirtualTime(nanoseconds: \(time))) { subscription?.cancel() }")
    }
    let replies = plan.replies.map(\.swift).joined(separator: ", ")
    var receive = ["noted.values.append(value)", "noted.received.append(\"\\(value)@\\(noted.now)\")", "count += 1"]
    if case .after(let count) = plan.cancel {
      receive.append("if count == \(count) { subscription?.cancel(); return .none }")
    }
    receive.append("let reply = ([\(replies)] as [Subscribers.Demand])[(count - 1) % \(plan.replies.count)]")
    receive +=
      plan.asksInside ? ["if reply > .none { subscription?.request(reply) }", "return .none"] : ["return reply"]
    lines += [
      "pipeline.subscribe(AnySubscriber(",
      "  receiveSubscription: { subscription = $0\(plan.first > .none ? "; $0.request(\(plan.first.swift))" : "") },",
      "  receiveValue: { value in",
    ]
    lines += receive.map { "    \($0)" }
    lines += [
      "  },",
      "  receiveCompletion: { noted.received.append(\"\\($0 == .finished ? \"finished\" : \"failed\")@\\(noted.now)\") }))",
      "try clock.run(maxActions: 100_000)", "withExtendedLifetime(subscription) {}",
    ]
    return lines.map { "  \($0)" }.joined(separator: "\n")
  }

  /// The code that the tests need: it notes the demand on each source.
  private static let prelude = """
    import Penstock
    import PenstockOperators
    import PenstockTesting
    import Testing

    struct ModelError: Error, Equatable {}

    /// Notes what happens, without what the fuzz leaves open.
    final class Noted {
      struct Source {
        let (id, start): (Int, Int)
        var granted: [(time: Int, total: Subscribers.Demand)] = []
        var values: [Int] = []
        var end: (time: Int, how: String)?
      }

      let clock: VirtualTimeScheduler<VirtualTime, Never>
      var received: [String] = []
      var values: [Int] = []
      var sources: [Source] = []
      var now: Int { clock.now.nanoseconds }

      init(_ clock: VirtualTimeScheduler<VirtualTime, Never>) { self.clock = clock }

      func source(_ id: Int, _ source: some Publisher<Int, ModelError>) -> AnyPublisher<Int, ModelError> {
        Deferred { [self] in
          let place = sources.count
          sources.append(Source(id: id, start: now))
          return source.handleEvents(
            receiveOutput: { self.sources[place].values.append($0) },
            receiveCompletion: { _ in self.sources[place].end = (self.now, "ended") },
            receiveCancel: { self.sources[place].end = (self.now, "cancelled") },
            receiveRequest: { demand in
              let before = self.sources[place].granted.last?.total ?? .none
              if before == .unlimited || demand == .none { return }
              if self.sources[place].granted.last?.time == self.now { self.sources[place].granted.removeLast() }
              self.sources[place].granted.append((self.now, before + demand))
            })
        }.eraseToAnyPublisher()
      }

      var lines: [String] {
        var lines = [(["received"] + received).joined(separator: " ")]
        for source in sources.sorted(by: { $0.id < $1.id }) {
          if source.values.isEmpty, source.granted.isEmpty || source.end?.time == source.start { continue }
          let granted = source.granted.filter { $0.time != source.end?.time }.map { time, total in
            "\\(total.max.map(String.init) ?? "unlimited")@\\(time)"
          }
          lines.append(
            "s\\(source.id): granted \\(granted.joined(separator: " ")), "
              + "delivered \\(source.values.map(String.init).joined(separator: " "))"
              + (source.end.map { ", \\($0.how)@\\($0.time)" } ?? ""))
        }
        return lines
      }
    }

    func number(of event: Subscribers.Event<Int, ModelError>) -> Int {
      switch event {
      case .value(let value): value &* 2
      case .completion(.finished): -1
      case .completion(.failure): -2
      }
    }

    func number(of result: Result<Int, ModelError>) -> Int {
      switch result {
      case .success(let value): value &* 2
      case .failure: -2
      }
    }

    """
}

extension StepTree {
  /// The source text.
  var swift: String {
    switch self {
    case .sequence(let id, let values, let isFailing):
      isFailing
        ? "noted.source(\(id), Record(output: \(values), completion: .failure(ModelError())))"
        : "noted.source(\(id), (\(values) as [Int]).publisher.setFailureType(to: ModelError.self))"
    case .subject(let id, _): "noted.source(\(id), s\(id))"
    case .made(let id, let count):
      "noted.source(\(id), (0..<\(count)).map { v &* 3 &+ $0 }.publisher.setFailureType(to: ModelError.self))"
    case .node(let row, let number, let upstreams):
      upstreams.enumerated().reduce(row.swift.replacing("#", with: "\(number)")) { text, upstream in
        text.replacing("{\(upstream.offset)}", with: upstream.element.swift)
      }
    }
  }
}
