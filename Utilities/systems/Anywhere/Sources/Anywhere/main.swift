// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

/// Ends the program if a condition is false.
@MainActor func check<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) {
  guard value == expected else { fatalError("\(what): \(value), expected \(expected)") }
  print("\(what): \(value)")
}

// Values, demand, and what keeps a subscription.
let numbers = PassthroughSubject<Int, Never>()
var sums: [Int] = []
let summing = numbers.scan(0, +).filter { $0 > 1 }.prefix(2).sink { sums.append($0) }
for number in 1...5 { numbers.send(number) }
check("sums", sums, [3, 6])

// What Combine lacks, and several upstreams.
var pairs: [String] = []
let pairing = [1, 2, 3].publisher.pairwise().zip(["a", "b"].publisher).sink { pairs.append("\($0.0)\($0.1)\($1)") }
check("pairs", pairs, ["12a", "23b"])

// Time that moves when it is moved.
let scheduler = VirtualTimeScheduler()
let words = PassthroughSubject<String, Never>()
var settled: [String] = []
let settling = words.debounce(for: .milliseconds(300), scheduler: scheduler).sink { settled.append($0) }
words.send("pen")
await scheduler.advance(by: .milliseconds(100))
words.send("penstock")
await scheduler.advance(by: .milliseconds(300))
check("settled", settled, ["penstock"])

// State, a task's result, and a clock.
final class Gate: ObservableObject {
  @Published var level = 1
}
let gate = Gate()
var levels: [Int] = []
let watching = gate.$level.sink { levels.append($0) }
gate.level = 2
check("levels", levels, [1, 2])
check("a future's value", await Future { 42 }.value, 42)
var late: [Int] = []
for await value in Just(7).delay(for: .milliseconds(10), scheduler: TaskScheduler()).values { late.append(value) }
check("behind a clock", late, [7])
print("anywhere: passed")
