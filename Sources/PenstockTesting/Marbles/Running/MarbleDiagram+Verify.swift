// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension MarbleDiagram {
  /// Runs the diagram with a publisher, and throws if the publisher does anything else than the lines say.
  ///
  /// ```swift
  /// let diagram = try MarbleDiagram(
  ///   """
  ///   source    1-2-3-4-|
  ///   expected  --2-----|
  ///   """)
  /// do {
  ///   try diagram.verify { $0.source(values: .numbers).filter { $0.isMultiple(of: 2) } }
  /// } catch {
  ///   print(error)
  /// }
  /// // Prints:
  /// // step 6: “expected” has nothing here, and 4 came
  /// //
  /// //   source    1-2-3-4-|
  /// //   expected  --2-----|
  /// //   received  --2---4-|
  /// //                   ^
  /// //
  /// // If that is right, the diagram is
  /// //
  /// //   """
  /// //   source    1-2-3-4-|
  /// //   expected  --2---4-|
  /// //   """
  /// ```
  ///
  /// Time continues to the end of the longest line; what would come later is not seen. In each step the subscribers act
  /// first, then the sources send in the order of their lines, and then the actions that were scheduled meanwhile run.
  ///
  /// **Concurrency:** everything has to happen on the thread that calls this; a call on another one is a mistake that
  /// is thrown.
  ///
  /// - Parameters:
  ///   - values: The values that the symbols of `expected` stand for; by default, received values are compared by their
  ///     descriptions.
  ///   - publisher: A closure that makes the publisher of the sources of a bench.
  /// - Throws: A ``MarbleMismatch``, an error for a text that does not fit the closure, or the closure's error.
  public func verify<P: Publisher>(
    values: MarbleValues<P.Output> = .described,
    _ publisher: (MarbleBench<VirtualTime, Never>) throws -> P
  ) throws {
    try verify(on: VirtualTimeScheduler(), values: values, publisher)
  }

  /// Runs the diagram on a scheduler, and throws if the publisher does anything else than the lines say.
  ///
  /// Use it for code that names the types of another scheduler's time: step 0 is the scheduler's present.
  public func verify<Time, Options, P: Publisher>(
    on scheduler: VirtualTimeScheduler<Time, Options>,
    values: MarbleValues<P.Output> = .described,
    _ publisher: (MarbleBench<Time, Options>) throws -> P
  ) throws {
    let run = try MarbleRun(self, on: scheduler, values: values, publisher)
    guard lanes.contains(where: { $0.isExpected }) else {
      throw run.unused
        ?? MarbleUsageError(
          "There is no line “expected”. With what came, the diagram is\n\n\(run.recorded.swiftLiteral)")
    }
    if let mismatch = run.mismatch { throw mismatch }
    if let unused = run.unused { throw unused }
  }

  /// Runs the diagram with a publisher, and returns the diagram with what happened in place of what was expected.
  ///
  /// ```swift
  /// let diagram = try MarbleDiagram("source  a-b---c-|")
  /// let recorded = try diagram.record { $0.source().delay(for: 2, scheduler: $0.scheduler) }
  /// print(recorded)
  /// // Prints:
  /// // source    a-b---c-|
  /// // expected  --a-b---c
  /// ```
  ///
  /// The result is valid as the text of a test: ``swiftLiteral`` is its source. Events after the end of the longest
  /// line are not in it; add `-` to a line to see more.
  public func record<P: Publisher>(
    values: MarbleValues<P.Output> = .described,
    _ publisher: (MarbleBench<VirtualTime, Never>) throws -> P
  ) throws -> MarbleDiagram {
    try record(on: VirtualTimeScheduler(), values: values, publisher)
  }

  /// Runs the diagram on a scheduler, and returns the diagram with what happened in place of what was expected.
  public func record<Time, Options, P: Publisher>(
    on scheduler: VirtualTimeScheduler<Time, Options>,
    values: MarbleValues<P.Output> = .described,
    _ publisher: (MarbleBench<Time, Options>) throws -> P
  ) throws -> MarbleDiagram {
    let run = try MarbleRun(self, on: scheduler, values: values, publisher)
    if let unused = run.unused { throw unused }
    return run.recorded
  }
}

/// A mistake in the use of a ``MarbleDiagram``, such as a line that is not used.
public struct MarbleUsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the mistake, and of how to fix it.
  public let description: String

  internal init(_ description: String) { self.description = description }
}
