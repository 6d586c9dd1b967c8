// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if canImport(PenstockKit)
  import BenchmarkKit
  import PenstockKit
  import PenstockOperators

  /// Measures a client's operator that is made with the kit, beside the same operator of the library.
  struct KitSection {
    let rounds: Int
    let scale: Int

    func run(into report: inout Report) throws {
      report.kit = try PairSection(
        title: "Operators of a client's, made with the kit", names: ("ours", "client's"), rounds: rounds, scale: scale
      ).run([
        pair("map", { $0.map { $0 &+ 1 } }, { $0.lift(NextStage()) }),
        pair("pairwise", { $0.pairwise().map { $0 &+ $1 } }, { $0.lift { OwnPairsStage() }.map { $0 &+ $1 } }),
        pair("intersperse", { $0.intersperse(0) }, { $0.lift { OwnSeparatorStage(0) } }),
        pair(
          "withLatestFrom", { $0.withLatestFrom(Just(1)) { $0 &+ $1 } },
          { $0.steered(by: Just(1), OwnLatestStage()) }),
        (
          Workload("generate", "kit") { count in sum(Publishers.generate(state: 0) { following(&$0, below: count) }) },
          Workload("generate", "kit") { count in sum(Publishers.source { OwnCountStage(end: count) }) }
        ),
      ])
    }

    private func pair<Ours: Publisher<Int, Never>, Theirs: Publisher<Int, Never>>(
      _ name: String, _ ours: @escaping @Sendable (PassthroughSubject<Int, Never>) -> Ours,
      _ theirs: @escaping @Sendable (PassthroughSubject<Int, Never>) -> Theirs
    ) -> (Workload, Workload) {
      (Workload(name, "kit") { flood($0, ours) }, Workload(name, "kit") { flood($0, theirs) })
    }
  }

  @inline(never)
  private func flood<P: Publisher<Int, Never>>(_ count: Int, _ chain: (PassthroughSubject<Int, Never>) -> P) -> Int {
    let tally = Tally()
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = chain(subject).sink { tally.add($0) }
    for value in 0..<count { subject.send(value) }
    return withExtendedLifetime(cancellable) { tally.sum }
  }

  @inline(never)
  private func sum<P: Publisher<Int, Never>>(_ publisher: P) -> Int {
    let tally = Tally()
    let cancellable = publisher.sink { tally.add($0) }
    return withExtendedLifetime(cancellable) { tally.sum }
  }

  @inline(__always)
  private func following(_ number: inout Int, below end: Int) -> Int? {
    guard number < end else { return nil }
    defer { number += 1 }
    return number
  }

  private struct NextStage: TransparentStage {
    func receive(_ input: Int) -> Int? { input &+ 1 }
  }

  private final class OwnPairsStage<Input, Failure: Error>: ManagedStage {
    @exclusivity(unchecked) var last: Input?

    func receive(_ input: Input) -> Verdict<(Input, Input), Failure> {
      guard let previous = exchange(&last, with: input) else { return .skip }
      return .emit((previous, input))
    }

    private func exchange(_ place: inout Input?, with value: Input) -> Input? {
      defer { place = value }
      return place
    }
  }

  private final class OwnSeparatorStage<Input, Failure: Error>: QueuedStage {
    let separator: Input
    @exclusivity(unchecked) var hasStarted = false

    init(_ separator: Input) { self.separator = separator }

    static var failureWaits: Bool { true }

    var demand: QueuedDemand { .whileUnmet }

    func receive(_ input: Input, into outputs: inout Outputs<Input>) -> Verdict<Input, Failure> {
      if hasStarted { outputs.append(separator) }
      hasStarted = true
      return .emit(input)
    }
  }

  private struct OwnLatestStage<Failure: Error>: SteeredStage {
    var latest: Int?

    mutating func receive(_ input: Int) -> Verdict<Int, Failure> { latest.map { .emit(input &+ $0) } ?? .skip }

    mutating func receive(signal: Int) -> Verdict<Int, Failure> {
      latest = signal
      return .absorb
    }
  }

  private struct OwnCountStage: SourceStage {
    var number = 0
    let end: Int

    mutating func next() -> Int? {
      guard number < end else { return nil }
      defer { number += 1 }
      return number
    }
  }
#endif
