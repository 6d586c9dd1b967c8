// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How often each operator and each end of the roster is in some programs.
struct DifferCounts {
  private(set) var operators: [String: Int]
  private(set) var ends: [String: Int]

  init(_ programs: some Sequence<DifferProgram>) {
    operators = Dictionary(uniqueKeysWithValues: DifferOperator.all.map { ($0.name, 0) })
    ends = Dictionary(uniqueKeysWithValues: DifferEnd.all.map { ($0.name, 0) })
    for program in programs {
      for pipeline in program.pipelines { ends[pipeline.end, default: 0] += 1 }
      for link in program.chains.flatMap(\.links) { operators[link.name, default: 0] += 1 }
    }
  }

  /// The rows that are in none of the programs.
  var missing: [String] { (operators.filter { $0.value == 0 } + ends.filter { $0.value == 0 }).map(\.key).sorted() }

  var text: String {
    func lines(_ title: String, _ counts: [String: Int]) -> String {
      // The rarest first: a longer run is for those.
      let rows = counts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { "\($0.value) \($0.key)" }
      return "\(title), \(rows.count):\n  " + rows.joined(separator: "; ")
    }
    return lines("operators", operators) + "\n" + lines("ends", ends)
  }
}
