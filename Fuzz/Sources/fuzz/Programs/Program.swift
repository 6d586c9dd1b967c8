// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Everything that happens in one run, as a value that can be built, printed and reduced.
///
/// The order of the threads is not part of it.
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

  /// The number of operators in it.
  var size: Int { children.reduce(1) { $0 + $1.size } }
}

enum SubjectKind: String, Hashable, Sendable, CaseIterable {
  case passthrough, current, integers, published, announcing
}

enum LaneKind: String, Hashable, Sendable, CaseIterable {
  case virtual, serial, concurrent, operations, immediate
}

/// A stream that several pipelines share.
struct SharedStream: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable, CaseIterable {
    case share, multicast, multicastCurrent, autoconnect, makeConnectable, shareReplay, shareReplayCounted
    case shareBounded, shareNewest, shareOldest
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

/// A subscriber, and its reactions to values.
struct Terminal: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable, CaseIterable { case counting, sink, values, pausable, feeding }

  var kind: Kind
  /// The first request; `nil` for unlimited demand.
  var demand: Int?
  /// The demand that it returns for each value.
  var reply: Int
  /// The acts, by the position of the value at which they run.
  var acts: [Int: Act]
  /// The duration of each delivery, in steps of a few hundred nanoseconds.
  var dwell: Int
  /// The subject that is fed, for a subscriber that feeds one.
  var target: Int
}

/// An act of a value's end, a subscriber or a closure.
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

  /// Decodes an act from the numbers of a node.
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
  /// Sends a number of values, with a pause after every few of them; an act runs when every n-th value is
  /// deinitialised.
  case send(subject: Int, count: Int, pauseEvery: Int, act: Act?, actEvery: Int)
  case act(Act)
  case subscribe(pipeline: Int)
  /// Advances all clocks.
  case advance(milliseconds: Int, times: Int)
  case pause(Int)
}

/// What happens to the streams after all threads have finished.
enum Ending: String, Hashable, Sendable, CaseIterable { case finish, fail, cancel, drop }
