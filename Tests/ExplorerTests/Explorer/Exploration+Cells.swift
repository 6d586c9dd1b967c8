// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

/// Operations on cells: the order of memory, locks, and the traces that distinguish two schedules.
extension Exploration {
  func created(_ cell: InterleavedCell) {
    _ = makeRecord(cell, isElder: false)
    cells.append(CreatedCell(cell: cell))
  }

  private func makeRecord(_ cell: InterleavedCell, isElder: Bool) -> CellRecord {
    let thread = running ?? 0
    created[thread] += 1
    let record = CellRecord(
      number: records.count, word: cell.word, view: View(), initial: isElder ? cell.word : nil, schedule: schedule)
    record.key = isElder ? -1 : thread << 20 | created[thread]
    records.append(record)
    if isElder { elders.append(cell) }
    cell.record = record
    return record
  }

  private func record(of cell: InterleavedCell) -> CellRecord {
    if let record = cell.record as? CellRecord, record.schedule == schedule { return record }
    return makeRecord(cell, isElder: true)
  }

  private func checkLife(_ cell: InterleavedCell, _ place: InterleavedPlace) {
    if cell.isDead { fault("use of a freed variable at \(place.file):\(place.line)") }
  }

  func perform(_ operation: InterleavedOperation, on cell: InterleavedCell, at place: InterleavedPlace) -> UInt {
    checkLife(cell, place)
    let record = record(of: cell)
    record.place = place
    if case .load = operation { point(record, mayWrite: false) } else { point(record, mayWrite: true) }
    let thread = running ?? 0
    switch operation {
    case .load(let ordering):
      let message = chooseMessage(record, thread)
      let word = record.history[message].word
      receive(message, of: record, ordering, thread)
      note(message == record.history.count - 1 ? "load \(word)" : "load \(word), which is outdated", place)
      return word
    case .store(let word, let ordering):
      note("store \(word)", place)
      send(word, to: record, ordering, after: nil, thread)
      cell.word = word
      return word
    case .update(let ordering, let otherwise, let change):
      let last = record.history.count - 1
      let old = record.history[last].word
      guard let new = change(old) else {
        receive(last, of: record, otherwise, thread)
        note("find \(old), change nothing", place)
        return old
      }
      receive(last, of: record, ordering, thread)
      note("change \(old) to \(new)", place)
      send(new, to: record, ordering, after: record.history[last].view, thread)
      cell.word = new
      return old
    }
  }

  /// The message that a load returns: the latest, or an older one that the thread may still see.
  private func chooseMessage(_ record: CellRecord, _ thread: Int) -> Int {
    let last = record.history.count - 1
    guard thread != 0, staleLoads < bounds.staleLoads, faults.isEmpty, !isMerged else { return last }
    let oldest = memories[thread].view.message(of: record.number)
    guard oldest < last else { return last }
    let choice = strategy.decide(last - oldest + 1, .message)
    if choice > 0 { staleLoads += 1 }
    return last - choice
  }

  private func receive(
    _ message: Int, of record: CellRecord, _ ordering: InterleavedOperation.Ordering, _ thread: Int
  ) {
    trace.step(of: thread, reading: record.history[message].writer)
    if bounds.staleLoads > 0 { memories[thread].view.see(message, of: record.number) }
    let view = record.history[message].view
    switch ordering {
    case .acquiring, .acquiringAndReleasing: memories[thread].view.adopt(view)
    case .relaxed, .releasing: memories[thread].unacquired.adopt(view)
    }
  }

  private func send(
    _ word: UInt, to record: CellRecord, _ ordering: InterleavedOperation.Ordering, after earlier: View?, _ thread: Int
  ) {
    let number = record.history.count
    if bounds.staleLoads > 0 { memories[thread].view.see(number, of: record.number) }
    var view: View
    switch ordering {
    case .releasing, .acquiringAndReleasing: view = memories[thread].view
    case .relaxed, .acquiring: view = memories[thread].fenced
    }
    if bounds.staleLoads > 0 { view.see(number, of: record.number) }
    // An update continues the release that it has read from.
    if let earlier { view.adopt(earlier) }
    let writer = trace.step(of: thread, reading: record.history.last!.writer)
    // Without outdated loads only the latest word is ever read.
    if bounds.staleLoads == 0 { record.history.removeAll(keepingCapacity: true) }
    record.history.append(Message(word: word, view: view, writer: writer))
    stores += 1
  }

  func failsSpuriously(_ cell: InterleavedCell, at place: InterleavedPlace) -> Bool {
    guard let thread = running, thread != 0, shared.contains(record(of: cell).key), staleLoads < bounds.staleLoads,
      faults.isEmpty, !isMerged, strategy.decide(2, .message) == 1
    else { return false }
    staleLoads += 1
    note("fails spuriously", place)
    return true
  }

  func lock(_ lock: InterleavedCell, at place: InterleavedPlace) {
    checkLife(lock, place)
    let record = record(of: lock)
    record.place = place
    point(record, mayWrite: true)
    let thread = running ?? 0
    if record.holder == thread { fault("a lock is taken twice at \(place.file):\(place.line)") }
    if record.holder != nil {
      note("waits for the lock", place)
      phases[thread] = .locked(record)
      give(way: thread) { resume(oneOf: readyThreads()) }
    }
    record.holder = thread
    memories[thread].view.adopt(record.history[0].view)
    trace.step(of: thread, reading: record.history[0].writer)
    note("lock", place)
  }

  func unlock(_ lock: InterleavedCell) {
    let record = record(of: lock)
    let thread = running ?? 0
    record.holder = nil
    record.history[0].view = memories[thread].view
    record.history[0].writer = trace.step(of: thread, reading: record.history[0].writer)
    stores += 1
  }

  func fence(at place: InterleavedPlace) {
    let thread = running ?? 0
    // All fences are ordered.
    trace.stepOutside(of: thread)
    memories[thread].view.adopt(memories[thread].unacquired)
    memories[thread].view.adopt(fenceView)
    fenceView = memories[thread].view
    memories[thread].fenced = memories[thread].view
    note("fence", place)
  }

  func spin(at place: InterleavedPlace) {
    note("spins", place)
    let seen = stores
    wait { [unowned self] in stores > seen }
  }

  func access(_ owned: InterleavedCell) {
    let record = record(of: owned)
    let thread = running ?? 0
    if let (last, count) = record.lastAccess, last != thread, memories[thread].view.accesses(of: last) < count {
      fault("\(names[last]) and \(names[thread]) use an owner's variables, and nothing orders the two")
    }
    record.lastAccess = (thread, memories[thread].view.countAccess(of: thread))
  }
}
