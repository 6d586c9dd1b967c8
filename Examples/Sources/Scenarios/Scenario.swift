// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One scenario of the tour.
public struct Scenario: Sendable {
  /// The argument of `Tour` that selects it.
  public let name: String

  /// The heading above its lines.
  public let heading: String

  /// Runs the scenario, and prints what happens.
  let run: @Sendable (Page, Tempo) -> Void

  /// Runs the scenario.
  ///
  /// - Parameters:
  ///   - tempo: The time in which it runs.
  ///   - print: Called with each line.
  public func run(in tempo: Tempo, print: @escaping (String) -> Void) {
    let page = Page(print: print)
    run(page, tempo)
    page.endLine()
  }

  /// All scenarios, in the order of the tour.
  public static let all = [
    unwrap, timer, timeLogger, shareReplay, pausableSink, buffer, fibonacci, throttleWhile, itemSearch, retries, http,
    customSubscriber, printAndPrefix, controlRoom, orderedRequests, packageList, listReaders, sources, hotState,
    reminders, verification,
  ]
}
