// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `@unchecked`: the author's closures are `@Sendable`. Their wrappers are not, to the compiler, because the type of a
// publisher that is known as `some Publisher` could belong to an actor.

/// A publisher under test, and what its author says about it.
struct PublisherUnderTest: @unchecked Sendable {
  var finite: ((Int) -> ErasedPublisher)?
  var failing: (() -> ErasedPublisher)?
  /// A publisher that ticks on the kit's scheduler, and the time between two ticks.
  var ticking: Ticking?

  /// A publisher that ticks.
  ///
  /// Not a tuple: the optimiser of Swift 6.3 crashes on an optional tuple with a closure.
  struct Ticking {
    let interval: VirtualTime.Stride
    let make: () -> ErasedPublisher
  }

  /// How many values the publisher can be told to deliver.
  var counts = 0...10_000
  var traits: Set<PublisherTrait> = []

  /// The property of its values that depends on when they are requested.
  var variation: DemandVariation? {
    for case .variesWithDemand(let variation) in traits { return variation }
    return nil
  }

  /// More than any stream of a check has.
  static let plenty = Subscribers.Demand.max(1_000)

  /// A publisher of that many values, or of as many as it can deliver.
  func make(_ count: Int) throws -> ErasedPublisher {
    guard let finite else { throw CheckEnd.notApplicable("no finite publisher was given") }
    var erased = finite(counts.clamp(count))
    erased.dropsUnrequested = traits.contains(.hot)
    erased.isShared = traits.contains(.shared)
    return erased
  }

  func run(
    _ count: Int, _ rule: Rule, _ label: String, also own: Set<Rule> = [], _ set: (Probe) -> Void = { _ in }
  ) throws -> Trial {
    let run = Trial(try make(count), rule, label, also: own)
    set(run.probe)
    return run
  }

  /// The values that a publisher delivers when they are all requested at once, after the subscription.
  func reference(_ count: Int, _ rule: Rule) throws -> [String] {
    let run = try run(count, rule, "everything at once")
    run.start(Self.plenty)
    try run.judge()
    return run.probe.values
  }

  /// The values, for a check that needs some of them.
  func reference(_ count: Int, _ rule: Rule, atLeast needed: Int) throws -> [String] {
    let values = try reference(count, rule)
    guard values.count >= needed else {
      throw CheckEnd.notApplicable("it needs \(needed) values, and the publisher delivers \(values.count)")
    }
    return values
  }

  /// The outcome for a stream that has not ended.
  var withoutEnd: CheckEnd {
    if traits.contains(.endless) { return .notApplicable("it never ends, by its author") }
    return .inconclusive("the stream does not end")
  }

  /// Closures that make a publisher of a few values, and one that ticks: as many of the two as were given.
  var makers: [() -> ErasedPublisher] {
    [finite.map { make in { make(counts.clamp(3)) } }, ticking?.make].compactMap { $0 }
  }

  func mustBeCold() throws {
    if traits.contains(.hot) { throw CheckEnd.notApplicable("the publisher is hot: what is not requested is gone") }
  }
}

extension ClosedRange<Int> {
  /// The number in the range that is closest to another.
  func clamp(_ number: Int) -> Int { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
