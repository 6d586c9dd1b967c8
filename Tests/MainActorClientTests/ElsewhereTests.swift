// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockConcurrency
import PenstockInspector
import PenstockOperators
import Testing

/// What happens, and what is said, when an operator calls a closure of this module on another thread.
@Suite struct ElsewhereTests {
  @Test(arguments: Place.allCases)
  func `A closure that is called on another thread stops the process, and the operator is named`(_ place: Place) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [place] in
      Inspector.explainIsolationTraps()
      let cancellable = await call(place)
      await Task.detached { sendElsewhere() }.value
      // Another thread delivers what the schedulers were given.
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      cancellable.cancel()
    }
    #if DEBUG && canImport(Glibc) && compiler(>=6.3) && !PENSTOCK_TSAN
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        said.contains("Penstock: \(place.name) called a closure of the main actor on another thread: "), "\(said)")
      #expect(said.contains("MainActorClientTests/ElsewhereTests.swift:"), "\(said)")
      #expect(said.contains("  The closure: closure #"), "\(said)")
      #expect(said.contains("  Delivered by: "), "\(said)")
    #endif
  }

  @Test(arguments: MainQueueWork.allCases)
  func `Where the main queue's work is on the thread, the closure may run`(_ work: MainQueueWork) async {
    await #expect(processExitsWith: .success) { [work] in await count(within: work) }
  }
}

private nonisolated let counts = PassthroughSubject<Int, Never>()
private nonisolated let attempts = PassthroughSubject<Int, any Error>()

private nonisolated func sendElsewhere() {
  counts.send(1)
  counts.send(2)
  counts.send(completion: .finished)
  attempts.send(completion: .failure(CancellationError()))
}

/// Returns when a closure of the main actor has run in the work; stops the process otherwise.
private func count(within work: MainQueueWork) async {
  var count = 0
  let cancellable = counts.sink { count += $0 }
  await withCheckedContinuation { continuation in
    work.perform {
      counts.send(1)
      continuation.resume()
    }
  }
  precondition(count == 1, "the closure has not run")
  cancellable.cancel()
}

/// Where a closure is that nobody has marked.
nonisolated enum Place: String, CaseIterable, Codable, Sendable {
  case sink, map, combineLatest, catching, tryCatch, firstWhere, prefixWhile, minBy, maxBy, withLatestFrom
  case behindQueue, behindDelay, behindTasks, assumption, timer

  var name: String {
    switch self {
    case .sink, .assumption: "sink"
    case .map, .behindQueue, .behindDelay, .behindTasks: "map"
    case .catching: "catch"
    case .firstWhere: "first(where:)"
    case .prefixWhile: "prefix(while:)"
    case .minBy: "min"
    case .maxBy: "max(by:)"
    case .timer: "schedule"
    default: rawValue
    }
  }
}

/// Subscribes, on the main actor.
private func call(_ place: Place) -> AnyCancellable {
  func end(_ publisher: some Publisher<Int, any Error>) -> AnyCancellable {
    publisher.sink(receiveCompletion: { @Sendable _ in }, receiveValue: { @Sendable _ in })
  }
  func end(_ publisher: some Publisher<Int, Never>) -> AnyCancellable { publisher.sink { @Sendable _ in } }
  let queue = DispatchQueue(label: "another")
  switch place {
  case .sink: return counts.sink { _ in }
  case .map: return end(counts.map { $0 + 1 })
  case .combineLatest: return end(counts.combineLatest(Just(1)) { $0 + $1 })
  case .catching: return end(attempts.catch { _ in Just(1) })
  case .tryCatch: return end(attempts.tryCatch { _ in Just(1) })
  case .firstWhere: return end(counts.first { $0 > 1 })
  case .prefixWhile: return end(counts.prefix { $0 > 0 })
  case .minBy: return end(counts.min { $0 < $1 })
  case .maxBy: return end(counts.max { $0 < $1 })
  case .withLatestFrom: return end(counts.withLatestFrom(Just(1)) { $0 + $1 })
  case .behindQueue: return end(counts.receive(on: queue).map { $0 + 1 })
  case .behindDelay: return end(counts.delay(for: .milliseconds(1), scheduler: queue).map { $0 + 1 })
  case .behindTasks: return end(counts.receive(on: TaskScheduler()).map { $0 + 1 })
  case .assumption: return counts.sink { @Sendable _ in MainActor.assumeIsolated {} }
  case .timer:
    return AnyCancellable(queue.schedule(after: queue.now, interval: .milliseconds(1)) {})
  }
}

/// Work whose thread is the main queue's, though not always the main thread.
nonisolated enum MainQueueWork: String, CaseIterable, Codable, Sendable {
  case async, syncWithin, syncWithinSync, targeting, targetingSync

  func perform(_ work: @escaping @Sendable () -> Void) {
    let other = DispatchQueue(label: "other")
    let targeting = DispatchQueue(label: "targeting", target: .main)
    switch self {
    case .async: DispatchQueue.main.async { @Sendable in work() }
    case .syncWithin: DispatchQueue.main.async { @Sendable in other.sync { work() } }
    case .syncWithinSync:
      DispatchQueue.global().async { @Sendable in DispatchQueue.main.sync { @Sendable in other.sync { work() } } }
    case .targeting: targeting.async { @Sendable in work() }
    case .targetingSync: other.async { @Sendable in targeting.sync { @Sendable in work() } }
    }
  }
}
