// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

/// The view of a thread: how many messages of each cell, and how many accesses of each thread, it has seen.
///
/// The views of threads and messages only grow. A release attaches the thread's view to a message, and a thread that
/// acquires the message adopts it: this is the only order between threads.
struct View {
  private(set) var messages: [Int] = []
  private(set) var accesses: [Int] = []

  func message(of cell: Int) -> Int { cell < messages.count ? messages[cell] : 0 }

  func accesses(of thread: Int) -> Int { thread < accesses.count ? accesses[thread] : 0 }

  mutating func see(_ message: Int, of cell: Int) {
    while messages.count <= cell { messages.append(0) }
    if messages[cell] < message { messages[cell] = message }
  }

  mutating func countAccess(of thread: Int) -> Int {
    while accesses.count <= thread { accesses.append(0) }
    accesses[thread] += 1
    return accesses[thread]
  }

  mutating func adopt(_ other: View) {
    for (cell, message) in other.messages.enumerated() where message != 0 { see(message, of: cell) }
    while accesses.count < other.accesses.count { accesses.append(0) }
    for (thread, count) in other.accesses.enumerated() where accesses[thread] < count { accesses[thread] = count }
  }
}

/// The order of memory as the language defines it, for one thread.
///
/// The model is an operational form of C11's without cycles of reads from the future: a load may return any word except
/// one that has been replaced by a later word that the thread has seen; release, acquire and full fences determine what
/// it has seen. A word always enters a cell as its latest: if two threads' plain stores are ordered differently from
/// how they happen, the other order of the two steps covers that.
struct MemoryOfThread {
  var view = View()
  /// The views that a full fence adds: those of messages that were read without acquiring them.
  var unacquired = View()
  /// The view at the last full fence, which later relaxed stores carry.
  var fenced = View()
}

/// A word in a cell's history.
struct Message {
  var word: UInt
  var view: View
  /// The step that has written it; see ``Trace``.
  var writer: UInt64 = 0
}

/// The exploration's record of a cell, in one schedule.
final class CellRecord {
  let number: Int
  /// The word that the cell had when the schedule began, for a cell that is older than the schedule.
  let initial: UInt?
  var history: [Message]
  /// For a lock: the thread that holds it.
  var holder: Int?
  /// For an owner's variables: the last access.
  var lastAccess: (thread: Int, count: Int)?
  let schedule: Int
  /// The place at which the cell was last used.
  var place: InterleavedPlace?
  /// Names the cell in every schedule: its thread, and how many cells that thread has created before.
  var key = 0

  init(number: Int, word: UInt, view: View, initial: UInt?, schedule: Int) {
    self.number = number
    self.initial = initial
    self.schedule = schedule
    history = [Message(word: word, view: view)]
  }
}
