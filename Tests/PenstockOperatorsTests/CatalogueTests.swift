// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockOperators
import TestSupport
import Testing

/// Compares what the module's page says about demand, completion and kept values with what the operators do.
@Suite struct CatalogueTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/PenstockOperators/PenstockOperators.docc/PenstockOperators.md").standardized

  private static let header =
    "| call | asks for, when none is wanted | when two are | keeps of three that come | ends |"

  @Test func `The table of measured behaviour is what the operators do`() throws {
    let lines = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: Self.header), "the page has no such table")
    let written = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
    let measured = OperatorSpec.beyond.map(row)
    #expect(Array(written) == measured, "The table is to be:\n\(measured.joined(separator: "\n"))")
  }

  private func row(_ spec: OperatorSpec) -> String {
    let none = asked(spec, for: nil)
    let two = asked(spec, for: .max(2))
    let (kept, end) = kept(spec)
    return "| \(spec.name) | \(none) | \(two) | \(kept) | \(end) |"
  }

  /// Returns what is requested from upstream before it delivers anything.
  private func asked(_ spec: OperatorSpec, for demand: Subscribers.Demand?) -> String {
    let upstream = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: demand)
    spec.apply(upstream.eraseToAnyPublisher()).subscribe(recorder)
    defer { recorder.cancel() }
    let requested = (upstream.subscription?.requests ?? []).reduce(.none, +)
    return requested == .none ? "nothing" : requested.max.map { "\($0)" } ?? "everything"
  }

  /// Returns how many outputs wait when three values have arrived, as far as they were requested, and nothing is
  /// wanted; and when the end follows then.
  private func kept(_ spec: OperatorSpec) -> (String, String) {
    let upstream = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    spec.apply(upstream.eraseToAnyPublisher()).subscribe(recorder)
    // Another publisher comes first, and has to end before this one.
    if upstream.subscribers.isEmpty { return ("not subscribed", "not subscribed") }
    var sent = 0
    var returned = Subscribers.Demand.none
    while sent < 3, let subscription = upstream.subscription,
      (subscription.requests.reduce(returned, +).max ?? .max) > sent
    {
      sent += 1
      returned += upstream.send(sent)
    }
    upstream.send(completion: .finished)
    let end = recorder.completions.isEmpty ? "when more is wanted" : "at once"
    let before = recorder.values.count
    recorder.request(.unlimited)
    defer { recorder.cancel() }
    return (sent == 0 ? "none come" : "\(recorder.values.count - before) of \(sent)", end)
  }
}
