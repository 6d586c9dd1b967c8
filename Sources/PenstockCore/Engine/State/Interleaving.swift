// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if PENSTOCK_EXPLORER
  public import Synchronization

  /// A test's scheduler of interleavings: it chooses, at each operation on state that threads share, which thread
  /// continues.
  ///
  /// Exists only in builds with the define `PENSTOCK_EXPLORER`. There ``AtomicCell`` and ``Guarded`` report to it what they
  /// are about to do; everywhere else they do it themselves. ``OwnedVariables`` reports as well, ``currentThread()`` asks it
  /// for the number of the logical thread, and a trap tells it before the process stops.
  package protocol InterleavingScheduler: AnyObject {
    /// The number of the logical thread that is running; `nil` outside of an exploration.
    var thread: UInt? { get }

    /// Notes a new cell.
    func created(_ cell: InterleavedCell)

    /// Performs an operation on a cell.
    ///
    /// - Returns: The word that the cell held.
    func perform(_ operation: InterleavedOperation, on cell: InterleavedCell, at place: InterleavedPlace) -> UInt

    /// Takes a lock, or has the thread wait for it.
    func lock(_ lock: InterleavedCell, at place: InterleavedPlace)

    func unlock(_ lock: InterleavedCell)

    /// A fence that orders everything.
    func fence(at place: InterleavedPlace)

    /// Whether a weak exchange fails although it has found the expected value.
    func failsSpuriously(_ cell: InterleavedCell, at place: InterleavedPlace) -> Bool

    /// Called in a loop that waits for another thread.
    func spin(at place: InterleavedPlace)

    /// Notes an access to the plain variables that belong to an owner.
    func access(_ owned: InterleavedCell)

    /// Called when the process is about to be stopped.
    func trapped(_ message: String)
  }

  /// Where an operation stands in the source.
  package struct InterleavedPlace: Sendable {
    package let file: StaticString
    package let function: StaticString
    package let line: UInt
  }

  /// An operation on a cell.
  package enum InterleavedOperation {
    package enum Ordering: Sendable { case relaxed, acquiring, releasing, acquiringAndReleasing }

    case load(Ordering)
    case store(UInt, Ordering)
    /// Stores the closure's result for the word; nothing if that is `nil`.
    case update(Ordering, orElse: Ordering, (UInt) -> UInt?)
  }

  /// The storage of an ``AtomicCell``, a lock, or a set of an owner's variables, with what the scheduler knows about it.
  @usableFromInline
  package final class InterleavedCell: @unchecked Sendable {
    package var word: UInt
    /// Belongs to the scheduler.
    package var record: AnyObject?
    package var isDead = false

    @usableFromInline
    package init(_ word: UInt) {
      self.word = word
      runningScheduler?.created(self)
    }
  }

  package nonisolated(unsafe) var interleavingScheduler: (any InterleavingScheduler)?

  /// The scheduler, if a logical thread is running.
  internal var runningScheduler: (any InterleavingScheduler)? {
    interleavingScheduler?.thread == nil ? nil : interleavingScheduler
  }

  /// Guards cells outside of an exploration.
  private let outside = Mutex(())

  extension InterleavedCell {
    /// Performs an operation, by way of the scheduler if a logical thread is running.
    internal func perform(_ operation: InterleavedOperation, _ place: InterleavedPlace) -> UInt {
      if let runningScheduler { return runningScheduler.perform(operation, on: self, at: place) }
      return outside.withLock { _ in
        let old = word
        switch operation {
        case .load: break
        case .store(let new, _): word = new
        case .update(_, _, let change): word = change(old) ?? old
        }
        return old
      }
    }
  }

  extension InterleavedCell {
    /// Notes that the calling thread uses the variables that this stands for.
    @usableFromInline
    internal func access() {
      runningScheduler?.access(self)
    }
  }

  extension InterleavedOperation.Ordering {
    @usableFromInline
    internal init(_ ordering: AtomicLoadOrdering) { self = ordering == .relaxed ? .relaxed : .acquiring }

    @usableFromInline
    internal init(_ ordering: AtomicStoreOrdering) { self = ordering == .relaxed ? .relaxed : .releasing }

    @usableFromInline
    internal init(_ ordering: AtomicUpdateOrdering) {
      self =
        switch ordering {
        case .relaxed: .relaxed
        case .acquiring: .acquiring
        case .releasing: .releasing
        default: .acquiringAndReleasing
        }
    }
  }

  // The type of all atomics in builds of the explorer; documented where the other one is.
  @usableFromInline
  package struct AtomicCell<Value: AtomicCellValue>: ~Copyable, @unchecked Sendable {
    private let cell: InterleavedCell

    @usableFromInline
    package init(_ value: Value) { cell = InterleavedCell(value.word) }

    deinit { cell.isDead = true }

    /// - Returns: The word before.
    private borrowing func update(
      _ success: InterleavedOperation.Ordering, orElse failure: InterleavedOperation.Ordering? = nil,
      at place: InterleavedPlace, _ change: @escaping (UInt) -> UInt?
    ) -> UInt {
      cell.perform(.update(success, orElse: failure ?? success, change), place)
    }

    @usableFromInline
    package borrowing func load(
      ordering: AtomicLoadOrdering, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Value {
      Value(word: cell.perform(.load(.init(ordering)), .init(file: file, function: function, line: line)))
    }

    @usableFromInline
    package borrowing func store(
      _ value: Value, ordering: AtomicStoreOrdering, file: StaticString = #fileID, function: StaticString = #function,
      line: UInt = #line
    ) {
      _ = cell.perform(.store(value.word, .init(ordering)), .init(file: file, function: function, line: line))
    }

    @usableFromInline
    package borrowing func exchange(
      _ value: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID,
      function: StaticString = #function, line: UInt = #line
    ) -> Value {
      Value(word: update(.init(ordering), at: .init(file: file, function: function, line: line)) { _ in value.word })
    }

    @usableFromInline
    package borrowing func compareExchange(
      expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering, failureOrdering: AtomicLoadOrdering,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> (exchanged: Bool, original: Value) {
      let place = InterleavedPlace(file: file, function: function, line: line)
      let original = update(.init(successOrdering), orElse: .init(failureOrdering), at: place) {
        $0 == expected.word ? desired.word : nil
      }
      return (original == expected.word, Value(word: original))
    }

    @usableFromInline
    package borrowing func compareExchange(
      expected: Value, desired: Value, ordering: AtomicUpdateOrdering, file: StaticString = #fileID,
      function: StaticString = #function, line: UInt = #line
    ) -> (exchanged: Bool, original: Value) {
      // The ordering that a failure may then have: https://en.cppreference.com/w/cpp/atomic/atomic/compare_exchange
      let acquires = ordering == .acquiring || ordering == .acquiringAndReleasing
      return compareExchange(
        expected: expected, desired: desired, successOrdering: ordering,
        failureOrdering: acquires ? .acquiring : .relaxed, file: file, function: function, line: line)
    }

    @usableFromInline
    package borrowing func weakCompareExchange(
      expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering, failureOrdering: AtomicLoadOrdering,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> (exchanged: Bool, original: Value) {
      let place = InterleavedPlace(file: file, function: function, line: line)
      if let runningScheduler, runningScheduler.failsSpuriously(cell, at: place) {
        return (false, load(ordering: failureOrdering, file: file, function: function, line: line))
      }
      return compareExchange(
        expected: expected, desired: desired, successOrdering: successOrdering, failureOrdering: failureOrdering,
        file: file, function: function, line: line)
    }

    /// Other threads continue when the scheduler lets them.
    @usableFromInline
    package borrowing func linger(loads count: Int) {}
  }

  extension AtomicCell where Value == UInt {
    @usableFromInline @discardableResult
    package borrowing func wrappingAdd(
      _ operand: UInt, ordering: AtomicUpdateOrdering, file: StaticString = #fileID,
      function: StaticString = #function, line: UInt = #line
    ) -> (oldValue: UInt, newValue: UInt) {
      let old = update(.init(ordering), at: .init(file: file, function: function, line: line)) { $0 &+ operand }
      return (old, old &+ operand)
    }

    @usableFromInline @discardableResult
    package borrowing func bitwiseOr(
      _ operand: UInt, ordering: AtomicUpdateOrdering, file: StaticString = #fileID,
      function: StaticString = #function, line: UInt = #line
    ) -> (oldValue: UInt, newValue: UInt) {
      let old = update(.init(ordering), at: .init(file: file, function: function, line: line)) { $0 | operand }
      return (old, old | operand)
    }
  }

  @usableFromInline
  package func fullFence(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    runningScheduler?.fence(at: .init(file: file, function: function, line: line))
  }

  @usableFromInline
  package func spin(file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line) {
    runningScheduler?.spin(at: InterleavedPlace(file: file, function: function, line: line))
  }
#endif
