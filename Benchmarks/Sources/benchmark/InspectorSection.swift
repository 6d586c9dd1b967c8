// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if canImport(PenstockInspector)
  import BenchmarkKit
  import Penstock
  import PenstockInspector
  import PenstockWorkloads

  /// Measures the cost of the inspector's counts in a pipeline, and the time of a look at many pipelines.
  struct InspectorSection {
    let rounds: Int
    let scale: Int

    func run(into report: inout Report) throws {
      report.inspector = try PairSection(
        title: "Pipelines in which the inspector counts", names: ("off", "on"), rounds: rounds, scale: scale
      ).run(pairs)
      for (name, limit) in [("values", 2.0), ("signals", 5.0)] {
        let row = "PassthroughSubject.map.filter.sink, \(name)"
        guard let ratio = report.inspector[row]?[2], ratio > limit else { continue }
        report.misses.append("'\(row)' costs \(ratio, 2) times as much, and may cost \(limit, 1) times")
      }
      let count = 100_000 / scale
      let duration = snapshot(of: count)
      print("\nA snapshot of \(count) live streams: \(duration / .milliseconds(1), 0) ms.")
      report.snapshot = [Double(count), duration.nanoseconds]
      if count == 100_000, duration > .seconds(1) { report.misses.append("a snapshot of 100,000 streams in a second") }
    }

    private var pairs: [(Workload, Workload)] {
      let chain = PenstockWorkloads.workloads().first { $0.name == "PassthroughSubject.map.filter.sink" }!
      let works: [(String, @Sendable (Int) -> Int)] = [
        (chain.name, chain.run),
        ("combineLatest of two subjects, sink", { combine($0) }),
      ]
      return works.flatMap { name, work in
        [("values", Inspector.Counting.values), ("signals", .signals)].map { kind, counting in
          let off = Workload("\(name), \(kind)", "inspector") { work($0) }
          let on = Workload("\(name), \(kind)", "inspector") { count in
            Inspector.startCounting(counting)
            defer { Inspector.stopCounting() }
            return work(count)
          }
          return (off, on)
        }
      }
    }

    private func snapshot(of count: Int) -> Duration {
      let tally = Tally()
      let kept = (0..<count).map { _ in
        PassthroughSubject<Int, Never>().map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) }
      }
      let clock = ContinuousClock()
      let start = clock.now
      let seen = opaque(Inspector.snapshot().streams.count)
      let duration = clock.now - start
      precondition(seen >= count, "all streams are seen")
      return withExtendedLifetime(kept) { duration }
    }
  }

  @inline(never)
  private func combine(_ count: Int) -> Int {
    let tally = Tally()
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let cancellable = first.combineLatest(second).sink { tally.add($0 &+ $1) }
    for value in 0..<count { value.isMultiple(of: 2) ? first.send(value) : second.send(value) }
    return withExtendedLifetime(cancellable) { tally.sum }
  }
#endif
