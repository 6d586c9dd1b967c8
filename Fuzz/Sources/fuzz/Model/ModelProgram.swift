// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockTesting

/// A pipeline over subjects that send at known times, and the values that it delivers according to the reference.
indirect enum ModelProgram: Sendable {
  /// A subject: the times and values that it sends, and its end.
  case subject(Timeline)
  case node(ModelOperator, Int, [ModelProgram])

  // MARK: Generation

  /// - Parameter seed: Determines the program.
  static func random(seed: UInt64) -> ModelProgram {
    var random = Randomness(seed: seed)
    var subjects = 0
    var delays = 0
    return make(&random, depth: random.number(1...5), &subjects, &delays)
  }

  private static func make(
    _ random: inout Randomness, depth: Int, _ subjects: inout Int, _ delays: inout Int
  ) -> ModelProgram {
    if depth == 0 { return subject(&random, &subjects) }
    let row = random.pick(ModelOperator.all)
    let upstreams = (0..<row.arity).map { place in
      make(&random, depth: place == 0 ? depth - 1 : random.number(0...depth - 1), &subjects, &delays)
    }
    // Separate times: those of subjects are multiples of 1,000 plus the subject's number, below 20; those of delays
    // multiples of 1,000 plus a power of two above that. So no two signals of a program come at once.
    let number: Int
    if row.swift.contains("nanoseconds") {
      number = random.number(1...8) * 1_000 + 32 << min(delays, 4)
      delays += 1
    } else {
      number = random.number(1...6)
    }
    return .node(row, number, upstreams)
  }

  private static func subject(_ random: inout Randomness, _ subjects: inout Int) -> ModelProgram {
    subjects += 1
    var (line, time) = (Timeline(), 0)
    for _ in 0..<random.number(0...6) {
      time += random.number(1...6)
      line.moments.append(.init(time: time * 1_000 + subjects, value: random.number(0...20)))
    }
    if random.chance(75) {
      line.end = .init(time: (time + random.number(1...6)) * 1_000 + subjects, isFailure: random.chance(30))
    }
    return .subject(line)
  }

  // MARK: The reference

  /// The timeline that a subscriber that comes at a time receives, according to the reference.
  func timeline(from time: Int) -> Timeline {
    switch self {
    case .subject(let line):
      if let end = line.end, end.time <= time { return Timeline(end: .init(time: time, isFailure: end.isFailure)) }
      return line.with(line.moments.filter { $0.time > time })
    case .node(let row, let number, let upstreams):
      return row.model(upstreams.map { upstream in { upstream.timeline(from: $0) } }, number, time)
    }
  }

  // MARK: The pipeline

  /// Returns the timeline that the library delivers.
  func run() -> Timeline {
    let clock = ModelOperator.Clock()
    let pipeline = build(clock)
    nonisolated(unsafe) var received = Timeline()
    let cancellable = pipeline.sink(
      receiveCompletion: { completion in
        let isFailure = if case .failure = completion { true } else { false }
        received.end = .init(time: clock.now.nanoseconds, isFailure: isFailure)
      },
      receiveValue: { received.moments.append(.init(time: clock.now.nanoseconds, value: $0)) })
    try! clock.run()
    return withExtendedLifetime(cancellable) { received }
  }

  private func build(_ clock: ModelOperator.Clock) -> ModelOperator.Stream {
    switch self {
    case .subject(let line):
      let subject = PassthroughSubject<Int, ModelError>()
      for moment in line.moments {
        clock.schedule(after: VirtualTime(nanoseconds: moment.time)) { subject.send(moment.value) }
      }
      if let end = line.end {
        clock.schedule(after: VirtualTime(nanoseconds: end.time)) {
          subject.send(completion: end.isFailure ? .failure(ModelError()) : .finished)
        }
      }
      return subject.eraseToAnyPublisher()
    case .node(let row, let number, let upstreams):
      return row.build(upstreams.map { $0.build(clock) }, number, clock)
    }
  }

  // MARK: Shrinking

  /// Smaller programs, the smallest first.
  var smaller: [ModelProgram] {
    switch self {
    case .subject(let line):
      return line.moments.indices.map { place in
        var line = line
        line.moments.remove(at: place)
        return .subject(line)
      } + (line.end == nil ? [] : [.subject(Timeline(moments: line.moments))])
    case .node(let row, let number, let upstreams):
      return upstreams
        + upstreams.indices.flatMap { place in
          upstreams[place].smaller.map { upstream in
            var upstreams = upstreams
            upstreams[place] = upstream
            return .node(row, number, upstreams)
          }
        }
    }
  }

  /// The smallest program that still differs from the reference.
  func shrunk() -> ModelProgram {
    for program in smaller where program.run() != program.timeline(from: 0) { return program.shrunk() }
    return self
  }

  // MARK: Printing

  /// A test that compiles, and fails.
  var test: String {
    var subjects: [Timeline] = []
    let pipeline = source(&subjects)
    var lines = ["let clock = VirtualTimeScheduler()"]
    for (place, line) in subjects.enumerated() {
      lines.append("let s\(place) = PassthroughSubject<Int, ModelError>()")
      for moment in line.moments {
        lines.append(
          "clock.schedule(after: VirtualTime(nanoseconds: \(moment.time))) { s\(place).send(\(moment.value)) }")
      }
      if let end = line.end {
        lines.append(
          "clock.schedule(after: VirtualTime(nanoseconds: \(end.time))) { s\(place).send(completion: \(end.isFailure ? ".failure(ModelError())" : ".finished")) }"
        )
      }
    }
    lines.append("let cancellable = \(pipeline)")
    lines.append("  .sink(receiveCompletion: { print(clock.now, $0) }, receiveValue: { print(clock.now, $0) })")
    lines.append("try clock.run()")
    lines.append("// The reference: \(timeline(from: 0))")
    lines.append("// The library:   \(run())")
    return lines.joined(separator: "\n")
  }

  private func source(_ subjects: inout [Timeline]) -> String {
    switch self {
    case .subject(let line):
      subjects.append(line)
      return "s\(subjects.count - 1)"
    case .node(let row, let number, let upstreams):
      var text = row.swift.replacing("#", with: "\(number)")
      for (place, upstream) in upstreams.enumerated() {
        text = text.replacing("{\(place)}", with: upstream.source(&subjects))
      }
      return text
    }
  }
}
