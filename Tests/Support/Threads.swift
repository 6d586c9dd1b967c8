// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs each piece of work on a thread of its own, all at once, and waits for them.
///
/// - Parameter seconds: The time limit, after which the test process is stopped: a hang is a failure, and a deadlocked
///   thread cannot be unwound.
public func onThreads(within seconds: Int = 300, _ work: [@Sendable () -> Void]) {
  let start = DispatchSemaphore(value: 0)
  let done = DispatchSemaphore(value: 0)
  for piece in work {
    startThread(stackSize: 1 << 20) {
      start.wait()
      piece()
    } whenReleased: {
      done.signal()
    }
  }
  for _ in work { start.signal() }
  for _ in work where done.wait(timeout: .now() + .seconds(seconds)) == .timedOut {
    fatalError("A thread has not come back within \(seconds) seconds: deadlock")
  }
}

/// Runs the same work on a number of threads at once, and waits for them.
public func onThreads(_ count: Int, within seconds: Int = 300, _ work: @escaping @Sendable (Int) -> Void) {
  onThreads(within: seconds, (0..<count).map { index in { work(index) } })
}

/// Runs two pieces of work at the same time on two threads, many times, each time with something new.
///
/// Two threads that have just been started are further apart than one lock is from the next. These wait for each other
/// in a loop before each round, and one of them then waits a little longer, by a different amount in each round.
///
/// - Returns: What they have worked on.
public func meet<State: Sendable>(
  _ rounds: Int = 2_000, over makeState: () -> State, _ first: @escaping @Sendable (State) -> Void,
  _ second: @escaping @Sendable (State) -> Void
) -> [State] {
  let states = (0..<rounds).map { _ in makeState() }
  let meeting = Meeting()
  onThreads([
    {
      for (round, state) in states.enumerated() {
        meeting.wait(round, longer: round % 48)
        first(state)
      }
    },
    {
      for (round, state) in states.enumerated() {
        meeting.wait(round, longer: 24)
        second(state)
      }
    },
  ])
  return states
}

/// A place where two threads meet in each round.
///
/// For two threads that meet in callbacks, as close as possible to what they do next; `meet` has its own meeting.
public final class Meeting: Sendable {
  private let arrivals = Atomic(0)

  public init() {}

  /// Waits in a loop until the other thread has arrived as well, and then a little longer.
  ///
  /// - Parameters:
  ///   - round: How often the calling thread has been here before.
  ///   - turns: How much longer, in turns of a loop.
  public func wait(_ round: Int = 0, longer turns: Int = 0) {
    arrivals.wrappingAdd(1, ordering: .sequentiallyConsistent)
    var waited = 0
    while arrivals.load(ordering: .sequentiallyConsistent) < 2 * (round + 1) {
      waited += 1
      // The other thread may have no processor at present.
      if waited.isMultiple(of: 10_000) { sched_yield() }
    }
    for _ in 0..<turns { _ = arrivals.load(ordering: .relaxed) }
  }
}

/// Runs work on another thread and waits for it; used in callbacks for what another thread does meanwhile.
public func elsewhere(_ work: @escaping @Sendable () -> Void) {
  onThreads(within: 120, [work])
}

/// Runs work on a thread with a stack of a given size, and waits for it.
public func onSmallStack(kibibytes: Int = 512, _ work: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  startThread(stackSize: kibibytes << 10, work) { done.signal() }
  // The limit is only for a hang: the work may be a million values, under the thread sanitizer, on a slow machine.
  if done.wait(timeout: .now() + .seconds(900)) == .timedOut { fatalError("The work has not come back") }
}

/// Runs work on a new thread, and something else when nothing holds the work any more.
///
/// Not with Foundation's `Thread`, which does not report if the system could not create one, so that a test would wait
/// for it. Nor with the kit's `onThread`, which is internal to the kit.
private func startThread(
  stackSize: Int, _ work: @escaping @Sendable () -> Void, whenReleased done: @escaping @Sendable () -> Void
) {
  // Allocated, not initialised: the C library's types are numbers with one system, and pointers with another.
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  pthread_attr_init(attributes)
  defer { pthread_attr_destroy(attributes) }
  pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
  pthread_attr_setstacksize(attributes, stackSize)
  let errand = Unmanaged.passRetained(Errand(work, done))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let status = pthread_create(
    &thread, attributes,
    { errand in
      let errand: UnsafeMutableRawPointer? = errand
      Unmanaged<Errand>.fromOpaque(errand!).takeRetainedValue().run()
      return nil
    }, errand.toOpaque())
  if status != 0 { fatalError("The system has made no thread: \(String(cString: strerror(status)))") }
}

/// The work of a thread, and an action for when that work is released.
private final class Errand {
  private var work: (() -> Void)?
  private let done: () -> Void

  init(_ work: @escaping () -> Void, _ done: @escaping () -> Void) { (self.work, self.done) = (work, done) }

  func run() {
    work.take()?()
    done()
  }
}

/// A value that tests share between threads.
public final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  public init(_ value: Value) { stored = value }

  public var value: Value { lock.withLock { stored } }

  @discardableResult
  public func change<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&stored) } }
}

/// Transfers a value across threads without a check by the compiler, because the test is about just that.
public struct UncheckedBox<Value>: @unchecked Sendable {
  public let value: Value

  public init(_ value: Value) { self.value = value }
}

/// A gate at which one thread waits until another one opens it.
public final class Gate: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  public init() {}

  public func open() { semaphore.signal() }

  /// Waits until the gate is open; stops the test process when that takes too long.
  ///
  /// The limit is only for a hang: a task may have to open the gate, and other tests may leave no thread for it for
  /// minutes.
  public func wait(seconds: Int = 1_200) {
    if semaphore.wait(timeout: .now() + .seconds(seconds)) == .timedOut { fatalError("Nobody has opened the gate") }
  }
}
