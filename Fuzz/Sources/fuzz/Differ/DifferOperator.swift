// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator of the differential examiner, as source text.
///
/// In the text, `#s`, `#t` and `#u` are the numbers of closures, `#n` is a number, `#F` the failure of upstream, `{1}`
/// and `{2}` are other publishers, `w` is the world of the program, and `§` is a link inside an operator that is made
/// of several. Closures have full types, so that a chain is checked quickly.
struct DifferOperator: Sendable {
  /// The type of a failure.
  enum Failure: String, Sendable {
    case never = "Never"
    case fault = "E"
    case any = "any Error"
  }

  /// The failures of upstream that an operator accepts.
  enum Taking: Sendable {
    case anything, never, fault, failing
  }

  /// The failure of another publisher.
  enum Child: Sendable {
    /// That of upstream.
    case same
    /// Any failure.
    case anything
    /// Any failure, which is then that of the operator.
    case giving
  }

  let name: String
  let text: String
  let numbers: ClosedRange<Int>
  let takes: Taking
  /// The failure that it has; that of upstream if `nil`.
  let gives: Failure?
  let children: [Child]
  /// Whether sequences, `Just` and similar publishers have an operator of the same name that returns such a publisher,
  /// and calls its closure at once.
  let isEager: Bool
  let weight: Int

  init(
    _ name: String, _ text: String, _ numbers: ClosedRange<Int> = 0...0, takes: Taking = .anything,
    gives: Failure? = nil, children: [Child] = [], isEager: Bool = false, weight: Int = 2
  ) {
    self.name = name
    self.text = text
    self.numbers = numbers
    self.takes = takes
    self.gives = gives
    self.children = children
    // Many texts begin with a `map` whose closure is noted.
    let isMapNoted = text.hasPrefix(".map {") && text.prefix { $0 != "§" }.contains("#s")
    self.isEager = isEager || isMapNoted
    self.weight = weight
  }

  var hasClosure: Bool { text.contains("#s") }

  /// Whether no values may be left: then a publisher that is ready has finished already, and any other finishes when it
  /// is asked.
  var maySkipAll: Bool { ["prefix", "dropFirst", "output(at:)", "output(in:)"].contains(name) }

  /// The operators that, called on each other's publisher, make one publisher of both, as in Combine.
  ///
  /// Then a stream that the first closure cancels is over only after the second, and one `merge` keeps a value where
  /// two would keep two. Pairs in which the stream cannot end between the two do not differ.
  private static let composing: Set<String> = [
    "map tryMap", "tryMap map", "tryMap tryMap", "filter tryFilter", "tryFilter filter", "tryFilter tryFilter",
    "tryCompactMap compactMap", "merge merge",
  ]

  /// Whether the closure of the next operator is combined with that of this one.
  func isComposed(with next: DifferOperator) -> Bool {
    Self.composing.contains("\(Self.called(text.split(separator: "§").last)) \(Self.called(next.text[...]))")
  }

  /// The name of the operator with which a text begins.
  private static func called(_ text: Substring?) -> Substring {
    text?.dropFirst().prefix { $0.isLetter || $0.isNumber } ?? ""
  }

  func accepts(_ failure: Failure) -> Bool {
    switch takes {
    case .anything: true
    case .never: failure == .never
    case .fault: failure == .fault
    case .failing: failure != .never
    }
  }

  static let all: [DifferOperator] =
    mapping + filtering + reducing + endings + combining + flattening + sharing + timing + beyond + composed
  static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static func named(_ name: String) -> DifferOperator {
    guard let row = byName[name] else { fatalError("there is no operator \(name)") }
    return row
  }
}

/// A publisher at the beginning of a chain.
struct DifferSource: Sendable {
  let name: String
  let text: String
  let failure: DifferOperator.Failure
  /// The name by which a script sends to it.
  let feed: String?
  /// Whether operators on it may call their closures at once.
  let isEager: Bool
  let weight: Int

  init(
    _ name: String, _ text: String, _ failure: DifferOperator.Failure, feed: String? = nil, isEager: Bool = false,
    weight: Int = 1
  ) {
    self.name = name
    self.text = text
    self.failure = failure
    self.feed = feed
    self.isEager = isEager
    self.weight = weight
  }

  static let all: [DifferSource] = [
    .init("s0", "w.s0", .fault, feed: "s0", weight: 12), .init("s1", "w.s1", .fault, feed: "s1", weight: 4),
    .init("n0", "w.n0", .never, feed: "n0", weight: 10), .init("n1", "w.n1", .never, feed: "n1", weight: 4),
    .init("c0", "w.c0", .fault, feed: "c0", weight: 6), .init("c1", "w.c1", .fault, feed: "c1", weight: 3),
    .init("d0", "w.d0", .never, feed: "d0", weight: 6), .init("d1", "w.d1", .never, feed: "d1", weight: 3),
    .init("$x", "w.m.$x", .never, feed: "x", weight: 5), .init("$y", "w.m.$y", .never, feed: "y", weight: 3),
    .init("f0", "w.f0", .fault, feed: "f0", weight: 4), .init("f1", "w.f1", .fault, feed: "f1", weight: 1),
    .init("g0", "w.g0", .never, feed: "g0", weight: 3),
    .init("relay", "w.r0", .never, feed: "r0"), .init("current value relay", "w.q0", .never, feed: "q0", weight: 2),
    .init("Just", "Just(#n)", .never, isEager: true, weight: 3),
    .init("Empty", "Empty<Int, E>()", .fault), .init("Empty, never", "Empty<Int, Never>()", .never),
    .init("Empty, silent", "Empty<Int, E>(completeImmediately: false)", .fault),
    .init("Fail", "Fail<Int, E>(error: E())", .fault, weight: 2),
    .init("sequence", "[#n, 2, 3].publisher", .never, isEager: true, weight: 4),
    .init("Optional", "Optional<Int>.some(#n).publisher", .never, isEager: true),
    .init("Result", "Result<Int, E>.success(#n).publisher", .fault, isEager: true),
    .init("Result, failure", "Result<Int, E>.failure(E()).publisher", .fault, isEager: true),
    .init("Record", "Record<Int, E>(output: [#n, 5], completion: .finished)", .fault),
    .init("Record, failing", "Record<Int, E>(output: [#n, 6], completion: .failure(E()))", .fault),
    .init(
      "Deferred s1", "Deferred { () -> PassthroughSubject<Int, E> in w.at(#s, 0); return w.s1 }", .fault, feed: "s1"),
    .init(
      "Deferred c0", "Deferred { () -> CurrentValueSubject<Int, E> in w.at(#s, 0); return w.c0 }", .fault, feed: "c0"),
    .init(
      "Deferred d0", "Deferred { () -> CurrentValueSubject<Int, Never> in w.at(#s, 0); return w.d0 }", .never,
      feed: "d0",
      weight: 2),
    .init(
      "Deferred sequence",
      "Deferred { () -> Publishers.Sequence<[Int], Never> in w.at(#s, 0); return [#n, 3, 4].publisher }", .never),
    .init(
      "shared with a value",
      "Just(#n).append(Empty<Int, Never>(completeImmediately: false)).multicast { CurrentValueSubject<Int, Never>(77) }.autoconnect()",
      .never, weight: 2),
    .init(
      "failing, shared with a value",
      "Fail<Int, E>(error: E()).multicast { CurrentValueSubject<Int, E>(77) }.autoconnect()", .fault),
    .init(
      "created",
      "AnyPublisher<Int, E>.create { (e) -> AnyCancellable in w.at(#s, 0); e.send(#n); return AnyCancellable(w.c1.sink(receiveCompletion: e.send(completion:), receiveValue: e.send)) }",
      .fault, feed: "c1"),
  ]
  static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static func named(_ name: String) -> DifferSource {
    guard let row = byName[name] else { fatalError("there is no source \(name)") }
    return row
  }
}
