// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One system that the tour shows.
public struct Scenario: Sendable {
  /// What `Tour NAME` is called with.
  public let name: String

  /// The heading above its lines.
  public let heading: String

  /// Runs the system, and prints what it does.
  let run: @Sendable (Page) -> Void

  /// Runs the system.
  ///
  /// - Parameter print: Called with each line.
  public func run(print: @escaping (String) -> Void) {
    let page = Page(print: print)
    run(page)
    page.endLine()
  }

  /// All systems, in the order of the tour.
  public static let all = [unwrap, fibonacci, futureAndDeferred, printAndPrefix, customSubscriber]
}
