// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A view of the running streams of the process, and of what holds one up.
///
/// ```swift
/// let numbers = (1...).publisher.inspected("numbers")
/// let slow = numbers.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest)
///   .flatMap(maxPublishers: .max(1)) { _ in PassthroughSubject<Int, Never>() }
///   .sink { print($0) }
/// print(await Inspector.snapshot(watching: .milliseconds(50)).heldUp[0].culprit!.explanation)
/// // Prints "FlatMap has 1 inner publisher running, as many as it may, and 3 values wait at Buffer"
/// ```
///
/// The inspector sees every stream, even one that was made before anybody looked: its links with their names, the
/// demand that each has not met, the values that wait, and what each link waits for. Nothing has to be switched on for
/// that. Only the *counts* (``Link/counts``) are limited to links that are made after ``startCounting(_:)``.
///
/// The inspector reads only what the links keep anyway: atomic variables, and state behind locks that are held for
/// moments. It calls no closure of the program, keeps no stream alive, and reads no value.
///
/// **Demand:** observed, and left unchanged.
///
/// **Concurrency:** everything may be called on any thread, at any time. A snapshot is not one instant: streams
/// continue while they are read. An object whose last reference goes away at the moment at which it is read is freed on
/// the thread that reads.
public enum Inspector: Sendable {
  /// Returns the streams after a single look.
  ///
  /// A single look cannot distinguish a link that is stuck from one that is at work: `culprit` then means only that
  /// values wait at that link at this moment. Use ``snapshot(watching:looks:)`` to find out.
  ///
  /// - Returns: The streams.
  public static func snapshot() -> Snapshot { LinkGraph().snapshot() }

  /// Looks at all streams several times, and blames a link for holding up its stream only if nothing has changed
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - duration: How long to watch; a link that is slower than that looks stuck.
  ///   - looks: The number of looks, at least two.
  /// - Returns: The streams as they were at the last look.
  public static func snapshot(watching duration: Duration, looks: Int = 8) async -> Snapshot {
    await snapshot(watching: duration, looks: looks) { try? await ContinuousClock().sleep(for: $0.countable) }
  }

  /// The same method with a pause of the caller, for tests: virtual time, or a step of the program.
  package static func snapshot(
    watching duration: Duration, looks: Int, isolation: isolated (any Actor)? = #isolation,
    pause: (Duration) async -> Void
  ) async -> Snapshot {
    var watch = Watch(duration: duration, looks: looks)
    while let pauseLength = watch.look() { await pause(pauseLength) }
    return watch.result
  }

  /// The same method, on a thread that may sleep.
  internal static func snapshot(watching duration: Duration, looks: Int, sleep: (Duration) -> Void) -> Snapshot {
    var watch = Watch(duration: duration, looks: looks)
    while let pauseLength = watch.look() { sleep(pauseLength) }
    return watch.result
  }
}

/// Several looks one after the other.
private struct Watch {
  let duration: Duration
  let looks: Int
  private var count = 0
  private var first: [UInt64: Int] = [:]
  private(set) var result = LinkGraph(of: []).snapshot()

  init(duration: Duration, looks: Int) {
    let name = "Inspector.snapshot(watching:looks:)"
    require(looks >= 2, of: name, rule: "2 looks or more", given: looks)
    require(duration >= .zero, of: name, rule: "a duration that is not negative", given: duration)
    self.duration = duration
    self.looks = looks
  }

  /// Looks once.
  ///
  /// - Returns: How long to pause until the next look; `nil` after the last.
  mutating func look() -> Duration? {
    let graph = LinkGraph()
    let prints = graph.fingerprints
    count += 1
    if count == 1 { first = prints } else { first = first.filter { prints[$0.key] == $0.value } }
    guard count == looks else { return duration / (looks - 1) }
    result = graph.snapshot(unchanged: Set(first.keys), for: duration)
    return nil
  }
}
