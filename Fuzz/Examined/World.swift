// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators
import PenstockTesting

/// The failure of all streams.
public struct E: Error, Equatable { public init() {} }

/// An object with published properties.
public final class Model: ObservableObject {
  @Published public var x = 1
  @Published public var y = 2
  @Published public var z = 0
}

/// Everything that the pipelines of a program use: the sources, the log, and the kept subscriptions.
public final class World {
  public let s0 = PassthroughSubject<Int, E>(), s1 = PassthroughSubject<Int, E>()
  public let n0 = PassthroughSubject<Int, Never>(), n1 = PassthroughSubject<Int, Never>()
  public let c0 = CurrentValueSubject<Int, E>(100), c1 = CurrentValueSubject<Int, E>(101)
  public let d0 = CurrentValueSubject<Int, Never>(102), d1 = CurrentValueSubject<Int, Never>(103)
  public let m = Model()
  public let f0: Future<Int, E>, f1: Future<Int, E>, g0: Future<Int, Never>
  public let r0 = PassthroughRelay<Int>(), q0 = CurrentValueRelay<Int>(104)
  public let clock = VirtualTimeScheduler<VirtualTime, Never>()

  public var mistake: Int { script.mistake }

  let script: Script
  let trace: Trace
  private let promises: [Future<Int, E>.Promise]
  private let promise: Future<Int, Never>.Promise
  private var calls: [Int: Int] = [:]
  private var depth = 0

  var pipelines: [Int: () -> Void] = [:]
  /// The pipeline of each attachment.
  var attachments: [Int] = []
  var cancellables: [Int: AnyCancellable] = [:]
  var subscriptions: [Int: any Subscription] = [:]
  var owners: [Int: Owner] = [:]
  var bag: [AnyCancellable] = []
  /// The attachments to which nothing may be delivered any more.
  private var over: Set<Int> = []

  init(_ script: Script, _ trace: Trace) {
    self.script = script
    self.trace = trace
    var promises: [Future<Int, E>.Promise] = []
    f0 = Future { promises.append($0) }
    f1 = Future { promises.append($0) }
    self.promises = promises
    var last: Future<Int, Never>.Promise?
    g0 = Future { last = $0 }
    promise = last!
  }

  // MARK: - Noting

  public func note(_ text: String) { trace.note(text) }

  /// Notes a call of a closure, and does what the script does there.
  @inline(never)
  public func at(_ site: Int, _ value: Int) {
    note("closure \(site): \(value)")
    fire(site)
  }

  @inline(never)
  public func at<Result>(_ site: Int, _ value: Int, _ result: Result) -> Result {
    at(site, value)
    return result
  }

  func fire(_ site: Int) {
    calls[site, default: 0] += 1
    guard let hooks = script.hooks[site], let call = calls[site] else { return }
    for hook in hooks where hook.nth == call { perform(hook.act) }
  }

  // MARK: - Subscribers

  /// Begins an attachment, and returns its number.
  public func begin(_ pipeline: Int) -> Int {
    attachments.append(pipeline)
    return attachments.count - 1
  }

  @inline(never)
  public func value(_ n: Int, _ value: Int) {
    note("value \(n): \(value)\(over.contains(n) ? " !" : "")")
    fire(1000 + attachments[n])
  }

  @inline(never)
  public func end<Failure>(_ n: Int, _ completion: Subscribers.Completion<Failure>) {
    let text = if case .finished = completion { "finished" } else { "failed" }
    note("end \(n): \(text)\(over.contains(n) ? " !" : "")")
    if subscriptions[n] == nil { over.insert(n) }
    fire(1010 + attachments[n])
  }

  public func keep(_ n: Int, _ cancellable: AnyCancellable) { cancellables[n] = cancellable }

  public func pipeline(_ number: Int, _ attach: @escaping () -> Void) { pipelines[number] = attach }

  // MARK: - Acting

  func perform(_ act: Script.Act) {
    // Two programs that run away differ only if they have differed before that.
    if depth > 30 { return }
    depth += 1
    defer { depth -= 1 }
    note("  \(act.joined(separator: " "))")
    let number = act.count > 2 ? Int(act[2]) ?? 0 : 0
    switch act[0] {
    case "send": send(act[1], number)
    case "finish": end(act[1], .finished)
    case "fail": end(act[1], .failure(E()))
    case "fulfil": act[1] == "g0" ? promise(.success(number)) : promises[act[1] == "f0" ? 0 : 1](.success(number))
    case "reject": promises[act[1] == "f0" ? 0 : 1](.failure(E()))
    case "attach": pipelines[Int(act[1])!]?()
    case "request": if let n = last(act[1]) { subscriptions[n]?.request(.max(number)) }
    case "cancel": if let n = last(act[1]) { cancel(n) }
    case "drop": if let n = last(act[1]) { drop(n) }
    case "advance": clock.advance(by: .seconds(Int(act[1])!))
    default: fatalError("an act that there is not: \(act)")
    }
    note("  done")
  }

  private func last(_ pipeline: Substring) -> Int? { attachments.lastIndex(of: Int(pipeline)!) }

  private func cancel(_ n: Int) {
    if let cancellable = cancellables[n] {
      cancellable.cancel()
      over.insert(n)
    } else if let subscription = subscriptions[n] {
      // A value that is being delivered may still pass operators without state, such as map.
      subscription.cancel()
    } else if let owner = owners[n], owner.cancel() {
      over.insert(n)
    }
  }

  private func drop(_ n: Int) {
    if owners[n] == nil {
      if release(\.cancellables, n) { over.insert(n) }
      return
    }
    weak var owner = owners[n]
    let isAttached = owner?.isAttached ?? false
    _ = release(\.owners, n)
    // A delivery in progress keeps it for a while.
    if isAttached, owner == nil { over.insert(n) }
  }

  /// Removes the object that is kept for an attachment, and then releases it, which may use the same variable.
  ///
  /// - Returns: Whether there was anything.
  @inline(never)
  private func release<Value>(_ variable: ReferenceWritableKeyPath<World, [Int: Value]>, _ n: Int) -> Bool {
    let held = self[keyPath: variable][n]
    self[keyPath: variable][n] = nil
    return withExtendedLifetime(held) { held != nil }
  }

  private func send(_ source: Substring, _ value: Int) {
    switch source {
    case "s0": s0.send(value)
    case "s1": s1.send(value)
    case "n0": n0.send(value)
    case "n1": n1.send(value)
    case "c0": c0.send(value)
    case "c1": c1.send(value)
    case "d0": d0.send(value)
    case "d1": d1.send(value)
    case "x": m.x = value
    case "y": m.y = value
    case "r0": r0.accept(value)
    case "q0": q0.accept(value)
    default: fatalError("a source that there is not: \(source)")
    }
  }

  private func end(_ source: Substring, _ completion: Subscribers.Completion<E>) {
    switch source {
    case "s0": s0.send(completion: completion)
    case "s1": s1.send(completion: completion)
    case "n0": n0.send(completion: .finished)
    case "n1": n1.send(completion: .finished)
    case "c0": c0.send(completion: completion)
    case "c1": c1.send(completion: completion)
    case "d0": d0.send(completion: .finished)
    case "d1": d1.send(completion: .finished)
    default: fatalError("a source that cannot end: \(source)")
    }
  }

  /// Runs the script.
  func drive() {
    for number in pipelines.keys.sorted() { perform(["attach", Substring(String(number))]) }
    script.acts.forEach(perform)
    perform(["advance", "1000"])
  }

  /// Releases everything.
  func finish() {
    note("letting go")
    for n in attachments.indices { cancel(n) }
    drop(\.pipelines, leaving: [:])
    drop(\.cancellables, leaving: [:])
    drop(\.subscriptions, leaving: [:])
    drop(\.owners, leaving: [:])
    drop(\.bag, leaving: [])
    clock.advance(by: .seconds(1000))
  }

  /// Empties a variable, and then releases its old contents, which may use the variable.
  private func drop<Value>(_ variable: ReferenceWritableKeyPath<World, Value>, leaving nothing: Value) {
    let held = self[keyPath: variable]
    self[keyPath: variable] = nothing
    withExtendedLifetime(held) {}
  }
}
