// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// Runs the threads of a script under chosen interleavings.
///
/// Each logical thread is a thread of the system, but only one runs at a time; it continues until it gives way at a
/// *point*: before an operation on a cell that several threads use. A ``Strategy`` decides which thread continues
/// there, and which of several words a load returns. So a schedule is a list of decisions, and the same list runs the
/// same way again.
final class Exploration: InterleavingScheduler, @unchecked Sendable {
  // `@unchecked`: only the running thread uses the state, and hands it over by a semaphore.

  /// The bounds of the schedules.
  struct Bounds {
    /// How often a thread may be interrupted that could continue.
    var preemptions = 2
    /// How often a load may return a word that is not the latest, or a weak exchange fails for no reason.
    var staleLoads = 0
    /// The number of points after which a schedule counts as one that makes no progress.
    var points = 20_000
  }

  struct CreatedCell {
    weak var cell: InterleavedCell?
  }

  enum Phase {
    case ready
    case locked(CellRecord)
    case waiting(() -> Bool)
    case done
  }

  private final class Worker: @unchecked Sendable {
    let go = DispatchSemaphore(value: 0)
    var body: (() -> Void)?

    @inline(never)
    func run() { body.take()?() }
  }

  let bounds: Bounds
  let strategy: any Strategy
  private var workers: [Worker] = []
  private let finished = DispatchSemaphore(value: 0)

  /// The thread that runs: 0 prepares and checks, the others are those of the script; `nil` outside a schedule.
  var running: Int?
  var names: [String] = []
  var phases: [Phase] = []
  var memories: [MemoryOfThread] = []
  var created: [Int] = []
  var records: [CellRecord] = []
  /// Cells that are older than the schedule, which are restored after it.
  var elders: [InterleavedCell] = []
  var fenceView = View()
  var schedule = 0
  private var points = 0
  private var preemptions = 0
  var staleLoads = 0
  var stores = 0
  private var isAbandoned = false
  private var isUninterrupted = false
  var trace = Trace()
  /// The states that need not be met again, if schedules are merged.
  private let visited: VisitedStates?
  /// Whether the schedule has reached a state from which others have continued: it is run to its end without decisions.
  var isMerged = false

  /// The cells that more than one thread has used, and one may have changed, in any schedule so far.
  private(set) var shared: Set<Int> = []
  private var users: [Int: Int] = [:]
  private var written: Set<Int> = []

  /// Closures that are called when the script has been checked, before it is freed: they break the cycles of a test's
  /// own objects.
  var releases: [() -> Void] = []
  /// The cells that the script has created.
  var cells: [CreatedCell] = []

  /// The subscribers that have cancelled, with the number of deliveries since.
  var cancelled: [ObjectIdentifier: Int] = [:]

  private(set) var faults: [String] = []
  /// The steps, for a schedule that is to be printed.
  private(set) var steps: [String]?

  init(
    _ strategy: any Strategy, within bounds: Bounds, isRecording: Bool = false, shared: Set<Int> = [],
    merging visited: VisitedStates? = nil
  ) {
    self.strategy = strategy
    self.visited = visited
    self.bounds = bounds
    self.shared = shared
    steps = isRecording ? [] : nil
    // The process has one, with a cell of its own: it is made here, so that it is not part of a schedule.
    _ = Subscriptions.empty
  }

  // MARK: Schedules

  /// Runs a script once.
  ///
  /// - Returns: Whether a cell that was not known to be shared turned out to be.
  func run(_ makeScript: (Exploration) -> Script) -> Bool {
    begin()
    var script: Script? = makeScript(self)
    prepare(script!.threads)
    let isDeadlocked = runThreads()
    running = 0
    if isDeadlocked || isAbandoned {
      // Threads that wait, or that have been given up, are not used again.
      workers = []
      isAbandoned = false
    }
    if isDeadlocked {
      if faults.isEmpty { fault("deadlock: " + waitingThreads()) }
    } else {
      if faults.isEmpty { faults += script!.check() }
      // Freed while the exploration still sees it.
      for release in releases { release() }
      (script, releases) = (nil, [])
      let left = cells.compactMap(\.cell)
      if faults.isEmpty, !left.isEmpty {
        let places = left.compactMap { ($0.record as? CellRecord)?.place.map { "\($0.file):\($0.line)" } }
        fault("\(left.count) cells left in memory, last used at \(Set(places).sorted().joined(separator: ", "))")
      }
    }
    (releases, cells) = ([], [])
    return end()
  }

  private func begin() {
    schedule += 1
    (names, phases, memories, created) = (["main"], [.ready], [MemoryOfThread()], [0])
    (records, elders, fenceView) = ([], [], View())
    (points, preemptions, staleLoads, stores) = (0, 0, 0, 0)
    (users, written, faults, cancelled) = ([:], [], [], [:])
    (trace, isMerged) = (Trace(), false)
    trace.addThread()
    if steps != nil { steps = [] }
    running = 0
    interleavingScheduler = self
  }

  private func prepare(_ threads: [Script.Thread]) {
    for (index, thread) in threads.enumerated() {
      if index == workers.count { startWorker() }
      names.append(thread.name)
      phases.append(.ready)
      // Everything that the main thread has prepared is visible to all threads.
      memories.append(memories[0])
      created.append(0)
      trace.addThread()
      workers[index].body = thread.body
    }
  }

  private func startWorker() {
    let worker = Worker()
    workers.append(worker)
    let number = workers.count
    let thread = Thread { [unowned self] in
      while true {
        worker.go.wait()
        // Closed: from here on there may be no exploration.
        if worker.body == nil { return }
        // A separate function, so that everything that the body keeps is released before the thread is over.
        worker.run()
        finish(number)
      }
    }
    thread.stackSize = 2 << 20
    thread.start()
  }

  /// Ends the threads.
  ///
  /// Not left to `deinit`: objects that a script leaves over may refer to the exploration.
  func close() {
    for worker in workers {
      worker.body = nil
      worker.go.signal()
    }
    workers = []
  }

  /// - Returns: Whether the threads wait for each other.
  private func runThreads() -> Bool {
    resume(oneOf: readyThreads())
    finished.wait()
    for memory in memories.dropFirst() { memories[0].view.adopt(memory.view) }
    return phases.dropFirst().contains { if case .done = $0 { false } else { true } }
  }

  /// - Returns: Whether more cells are shared than were known to be.
  private func end() -> Bool {
    running = nil
    interleavingScheduler = nil
    for cell in elders {
      if let record = cell.record as? CellRecord, let initial = record.initial { cell.word = initial }
      cell.record = nil
    }
    let known = shared.count
    for (cell, threads) in users where threads & (threads - 1) != 0 && written.contains(cell) { shared.insert(cell) }
    return shared.count > known
  }

  // MARK: Threads

  /// The number of the script's threads.
  var threadCount: Int { names.count - 1 }

  var thread: UInt? { running.map { UInt($0 + 1) << 1 } }

  private func isReady(_ thread: Int) -> Bool {
    switch phases[thread] {
    case .ready: true
    case .locked(let lock): lock.holder == nil
    case .waiting(let condition): condition()
    case .done: false
    }
  }

  func readyThreads() -> [Int] { phases.indices.dropFirst().filter { isReady($0) } }

  private func waitingThreads() -> String {
    phases.indices.dropFirst().compactMap { thread in
      switch phases[thread] {
      case .ready, .done: nil
      case .locked: "\(names[thread]) waits for a lock"
      case .waiting: "\(names[thread]) waits for another thread"
      }
    }.joined(separator: ", ")
  }

  func resume(oneOf threads: [Int]) {
    guard !threads.isEmpty else {
      finished.signal()
      return
    }
    guard threads.count > 1, !mergesSchedule(running: nil) else { return resume(threads[0]) }
    resume(threads[strategy.decide(threads.count, .next(threads, from: nil))])
  }

  /// Whether all possible continuations have already been tried.
  ///
  /// - Parameter thread: The thread that can continue without being interrupted.
  private func mergesSchedule(running thread: Int?) -> Bool {
    guard !isMerged, let visited, strategy.isExtending else { return isMerged }
    // A thread that spins continues after any store, which its own trace does not show.
    let ready = phases.indices.map { isReady($0) ? 1 : 0 }
    let state = trace.state([thread ?? -1, bounds.staleLoads - staleLoads] + ready)
    isMerged = visited.hasMet(state, left: bounds.preemptions - preemptions)
    return isMerged
  }

  func resume(_ thread: Int) {
    phases[thread] = .ready
    running = thread
    workers[thread - 1].go.signal()
  }

  private func finish(_ thread: Int) {
    phases[thread] = .done
    resume(oneOf: readyThreads())
  }

  /// Lets another thread continue, until this one is resumed.
  func give(way thread: Int, to next: () -> Void) {
    // Looked up first: if no thread can continue, the workers are given up.
    let worker = workers[thread - 1]
    next()
    worker.go.wait()
  }

  /// Makes the calling thread wait for a condition that other threads bring about.
  func wait(until condition: @escaping () -> Bool) {
    guard let thread = running, thread != 0 else { return }
    trace.stepOutside(of: thread)
    if condition() { return }
    phases[thread] = .waiting(condition)
    give(way: thread) { resume(oneOf: readyThreads()) }
    trace.stepOutside(of: thread)
  }

  /// Whether all threads are over except those that serve the others; see ``ExploredScheduler``.
  func areOver(but servants: Set<String>) -> Bool {
    phases.indices.dropFirst().allSatisfy { thread in
      if case .done = phases[thread] { true } else { servants.contains(names[thread]) }
    }
  }

  // MARK: Points

  /// A point that no cell stands for: a hand-over.
  func yield(_ what: String) {
    note { what }
    touchOutside()
    interrupt()
    // The next point may come before any other step, and is another state.
    touchOutside()
  }

  /// Notes, without a point, that the running thread uses something that other threads may use and that is not a cell.
  func touchOutside() {
    if let running { trace.stepOutside(of: running) }
  }

  /// - Parameter mayWrite: Whether the operation may change the cell: two loads may come in either order.
  func point(_ record: CellRecord, mayWrite: Bool) {
    guard let thread = running, thread != 0 else { return }
    users[record.key, default: 0] |= 1 << thread
    if mayWrite { written.insert(record.key) }
    if shared.contains(record.key) { interrupt() }
  }

  /// Calls a closure without a point, because it holds a lock of the language's runtime, which no schedule knows.
  func uninterrupted(_ body: () -> Void) {
    isUninterrupted = true
    body()
    isUninterrupted = false
  }

  private func interrupt() {
    guard let thread = running, thread != 0, !isUninterrupted else { return }
    points += 1
    if points > bounds.points {
      if points == bounds.points + 1 { fault("no progress: more than \(bounds.points) points in one schedule") }
      return
    }
    guard preemptions < bounds.preemptions, faults.isEmpty else { return }
    let others = readyThreads().filter { $0 != thread }
    guard !others.isEmpty, !mergesSchedule(running: thread) else { return }
    let choice = strategy.decide(others.count + 1, .next([thread] + others, from: thread))
    guard choice > 0 else { return }
    preemptions += 1
    give(way: thread) { resume(others[choice - 1]) }
  }

  func fault(_ what: String) {
    if faults.isEmpty { faults.append(what) }
    note { "FAULT: \(what)" }
  }

  func note(_ what: () -> String) {
    guard steps != nil, let running else { return }
    steps!.append("\(names[running]): \(what())")
  }

  func note(_ what: @autoclosure () -> String, _ place: InterleavedPlace) {
    note {
      let file = "\(place.file)".split(separator: "/").last.map(String.init) ?? ""
      return "\(file):\(place.line) \(place.function): \(what())"
    }
  }

  /// Makes the trap a fault of the schedule: the thread is given up, since it cannot continue.
  func trapped(_ message: String) {
    guard let thread = running, thread != 0 else { return }
    fault("trap: \(message)")
    let worker = workers[thread - 1]
    phases[thread] = .done
    isAbandoned = true
    resume(oneOf: readyThreads())
    while true { worker.go.wait() }
  }
}
