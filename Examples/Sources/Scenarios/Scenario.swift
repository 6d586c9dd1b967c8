// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One system that the tour shows.
public struct Scenario: Sendable {
  /// What `Tour NAME` is called with.
  public let name: String

  /// The heading above its lines.
  public let heading: String

  /// Runs the system, and prints what it does.
  let run: @Sendable (Page, Tempo) -> Void

  /// Runs the system.
  ///
  /// - Parameters:
  ///   - tempo: The time to run in.
  ///   - print: Called with each line.
  public func run(in tempo: Tempo, print: @escaping (String) -> Void) {
    let page = Page(print: print)
    run(page, tempo)
    page.endLine()
  }

  /// All systems, in the order of the tour.
  public static let all = [
    unwrap, timer, timeLogger, shareReplay, pausableSink, buffer, fibonacci, throttleWhile, itemSearch, retries, http,
    customSubscriber, printAndPrefix,
  ]
}
