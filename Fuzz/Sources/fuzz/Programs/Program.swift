// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Everything that happens in one run, as a value: it can be built, printed, and made smaller.
///
/// Which thread comes first is not in it.
struct Program: Hashable, Sendable {
  var seed: UInt64
  var subjects: [SubjectKind]
  var lanes: [LaneKind]
  var shared: [SharedStream]
  var pipelines: [Pipeline]
  var actors: [Actor]
  var ending: Ending
}

/// A publisher: an operator by its name in the table, its numbers, and its upstreams or inner streams.
struct Node: Hashable, Sendable {
  var name: String
  var numbers: [Int] = []
  var children: [Node] = []

  /// How many operators there are in it.
  var size: Int { children.reduce(1) { $0 + $1.size } }
}

enum SubjectKind: String, Hashable, Sendable, CaseIterable {
  case passthrough, current, integers, published, announcing
}

enum LaneKind: String, Hashable, Sendable, CaseIterable {
  case virtual, serial, concurrent, operations, immediate
}

/// A stream that several pipelines have in common.
struct SharedStream: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable, CaseIterable {
    case share, multicast, multicastCurrent, autoconnect, makeConnectable, shareReplay, shareReplayCounted
  }

  var kind: Kind
  var capacity: Int
  var node: Node
}

struct Pipeline: Hashable, Sendable {
  var node: Node
  var terminal: Terminal
  /// Whether it is subscribed to before any thread starts.
  var startsFirst: Bool
}

/// Who subscribes, and what it does with its values.
struct Terminal: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable, CaseIterable { case counting, sink, values, pausable, feeding }

  var kind: Kind
  /// What it asks for at first; `nil` for everything.
  var demand: Int?
  /// What it asks for with each value.
  var reply: Int
  /// What it does at which value.
  var acts: [Int: Act]
  /// How long it stays inside of a delivery, in steps of some hundred nanoseconds.
  var dwell: Int
  /// For one that feeds a subject: which.
  var target: Int
}

/// Something that a value's end, a subscriber or a closure does.
struct Act: Hashable, Sendable {
  enum Kind: Int, Hashable, Sendable, CaseIterable {
    case send, finish, fail, cancel, request, visit, connect, disconnect, resume
  }

  var kind: Kind
  var target: Int
  var amount: Int = 1

  init(_ kind: Kind, _ target: Int, amount: Int = 1) {
    self.kind = kind
    self.target = target
    self.amount = amount
  }

  /// From the numbers of a node.
  init(_ numbers: ArraySlice<Int>) {
    let numbers = Array(numbers)
    kind = Kind(rawValue: numbers[0]) ?? .send
    target = numbers[1]
    amount = numbers[2]
  }

  var numbers: [Int] { [kind.rawValue, target, amount] }
}

/// A thread or a task.
struct Actor: Hashable, Sendable {
  var isTask: Bool
  var steps: [Step]
}

enum Step: Hashable, Sendable {
  /// Sends so many values, makes a pause after every few of them; every so manieth value acts when it goes.
  case send(subject: Int, count: Int, pauseEvery: Int, act: Act?, actEvery: Int)
  case act(Act)
  case subscribe(pipeline: Int)
  /// Moves all clocks on.
  case advance(milliseconds: Int, times: Int)
  case pause(Int)
}

/// What becomes of the streams when all threads are through.
enum Ending: String, Hashable, Sendable, CaseIterable { case finish, fail, cancel, drop }
