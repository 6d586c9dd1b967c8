// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs the turns of tasks on the thread of a check, in the copy of the process in which the check runs.
///
/// A copy has none of the threads that Swift keeps for tasks. So in a copy, the runtime hands over the work that these
/// threads would do, and a check does that work when it lets time pass: then tasks have done everything that they can,
/// without waiting for anything.
enum Turns {
  private static let waiting = Locked<[UnownedJob]>([])
  private static let original = getpid()

  /// Whether this system copies a process for a check.
  static let isPossible: Bool = {
    #if canImport(Glibc) || canImport(Musl)
      true
    #else
      // Any other system: checks run in the process itself, in which nobody else may run the turns.
      false
    #endif
  }()

  /// Call it in the process that is copied: a copy is recognised by its process number.
  static func prepare() { _ = original }

  /// Makes the runtime hand over the turns; each subject calls it when a check makes the subject.
  ///
  /// It does nothing in the process that is copied: its tests are tasks themselves.
  static func take() { if getpid() != original { _ = hooks } }

  /// Runs the turns that are ready, and those that follow from them.
  static func run() {
    while let job = waiting.change({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: Executor.shared.asUnownedTaskExecutor())
    }
  }

  /// Runs an asynchronous closure to its end.
  static func value<Value>(_ operation: @escaping @Sendable () async -> sending Value) -> Value {
    take()
    let result = Locked<UncheckedBox<Value>?>(nil)
    Task {
      let value = UncheckedBox(await operation())
      result.change { $0 = value }
    }
    run()
    return result.value!.value
  }

  private final class Executor: TaskExecutor {
    static let shared = Executor()

    func enqueue(_ job: consuming ExecutorJob) { Turns.append(UnownedJob(job)) }
  }

  private static func append(_ job: UnownedJob) { waiting.change { $0.append(job) } }

  private typealias Hook = @convention(thin) (UnownedJob, OpaquePointer?) -> Void

  private static let hooks: Void = {
    for name in ["swift_task_enqueueGlobal_hook", "swift_task_enqueueMainExecutor_hook"] {
      guard let place = dlsym(dlopen(nil, RTLD_LAZY), name) else { fatalError("The runtime has no \(name)") }
      place.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in Turns.append(job) }
    }
  }()
}
