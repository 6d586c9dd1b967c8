// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension StepOperator {
  typealias Confusion = (name: String, mistake: String, machine: @Sendable (Int) -> any Machine)

  /// Operators with the machines of others that do nearly the same: each confusion has to be found.
  static let confused: [Confusion] = [
    ("concatMap", "that asks upstream early, as flatMap does", { _ in FlatMapMachine(limit: Amount(1)) }),
    ("concatMap", "that runs several at a time", { _ in FlatMapMachine(limit: Amount(2), holdsBack: true) }),
    ("flatMap(maxPublishers:)", "that holds upstream back", { FlatMapMachine(limit: Amount($0), holdsBack: true) }),
    ("flatMapLatest", "that keeps the first", { _ in FlatMapMachine(limit: .unlimited, isFirst: true) }),
    ("flatMapSequential", "without an order", { _ in FlatMapMachine(limit: .unlimited) }),
    (
      "flatMapSequential", "that asks for one value more",
      { FlatMapSequentialMachine(limit: .unlimited, prefetch: $0 + 1) }
    ),
    (
      "flatMapSequential(maxPublishers:)", "that runs one more",
      { FlatMapSequentialMachine(limit: Amount($0 + 1), prefetch: 2) }
    ),
    ("switchIfEmpty", "that always goes on", { _ in SuccessionMachine { $0 == 0 && !$1 ? 1 : nil } }),
    (
      "switchIfEmpty", "that goes on after a failure",
      { _ in SuccessionMachine { place, _, isEmpty in place == 0 && isEmpty ? 1 : nil } }
    ),
    ("andThen", "that keeps the first values", { _ in SuccessionMachine { $0 == 0 && !$1 ? 1 : nil } }),
    ("repeat", "that runs once more", { n in SuccessionMachine { $0 < n % 2 + 1 && !$1 ? 0 : nil } }),
    ("repeat", "that runs again after a failure", { n in SuccessionMachine { place, _ in place < n % 2 ? 0 : nil } }),
    ("amb", "that keeps both", { _ in MergeMachine() }),
    ("amb", "that keeps the first", { _ in SuccessionMachine { _, _ in nil } }),
    ("zip of a list", "that combines the latest", { _ in TupleMachine(.combineLatest) }),
    ("combineLatest of a list", "that pairs", { _ in TupleMachine(.zip) }),
    ("withLatestFrom of two", "that needs the first only", { _ in WithLatestMachine() }),
    ("mapToResult", "that shows the end as well", { _ in QueuedMachine(.materialize) }),
    (
      "prefix(while:behavior: .inclusive)", "without the last value",
      { n in PassingMachine(()) { $1 % n != 1 ? .emit($1) : .finish } }
    ),
    (
      "prefix(while:behavior: .exclusive)", "with one value more",
      { n in PassingMachine(()) { $1 % n != 1 ? .emit($1) : .last($1) } }
    ),
    ("ignoreFailure", "that passes it", { _ in PassingMachine(()) { .emit($1) } }),
    (
      "removeAllDuplicates", "that remembers one value",
      { n in
        PassingMachine(Int?.none) { last, value in
          let value = value % (n + 3)
          defer { last = value }
          return last == value ? .skip : .emit(value)
        }
      }
    ),
    (
      "nwise", "that begins early",
      { n in
        PassingMachine([Int]()) { window, value in
          window = Array((window + [value]).suffix(n))
          return .emit(window.reduce(0) { $0 &* 3 &+ $1 })
        }
      }
    ),
  ]
}
