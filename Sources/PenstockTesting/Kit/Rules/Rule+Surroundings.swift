// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Rule {
  /// What timed publishers, operators and schedulers owe.
  public static let ofTime: [Rule] = [
    orderAcrossScheduler, cancelSuppressesScheduled, noDrift, nothingPending, ticksWithoutDemand, schedulerContract,
  ]

  static let orderAcrossScheduler = Rule(
    "T-01", .error, [.virtualTime], "Everything comes on the stated scheduler, in order",
    cause: "Values and the completion go by different ways, so one overtakes the other.")
  static let cancelSuppressesScheduled = Rule(
    "T-02", .error, [.virtualTime], "A cancel suppresses work that is scheduled already",
    cause: "The scheduled action does not look at the cancel when its time has come.")
  static let noDrift = Rule(
    "T-03", .error, [.virtualTime], "Tick k is due at start + k·interval",
    cause: "The next tick is scheduled from the time at which the last one ran.")
  static let nothingPending = Rule(
    "T-04", .error, [.virtualTime], "After a cancel, and after the completion, no work is left on the scheduler",
    cause: "The timer is not cancelled, or re-arms itself after a cancel on its own tick.")
  static let ticksWithoutDemand = Rule(
    "T-05", .warning, [.virtualTime], "Ticks without demand are dropped or combined, not sent in a burst later",
    cause: "Each tick is stored, and the first request lets all of them out.")
  static let schedulerContract = Rule(
    "T-06", .error, [.virtualTime], "A scheduler's time does not go back, and equal dates run in order",
    cause: "Actions of the same date are kept in a heap without their order, or nested scheduling is lost.")

  /// What is released, and when.
  public static let ofLifetime: [Rule] = [
    freedAfterCancel, freedAfterCompletion, freedAtOnce, noCycle, releasesOutsideLocks,
  ]

  static let freedAfterCancel = Rule(
    "M-01", .error, [.weakReference], "Cancelled and dropped, a subscription frees its subscriber",
    cause: "The publisher keeps a list of its subscribers.")
  static let freedAfterCompletion = Rule(
    "M-02", .error, [.weakReference], "A stream that has ended frees its subscriber",
    cause: "The subscription keeps its subscriber, and is itself kept by the source.")
  static let freedAtOnce = Rule(
    "M-03", .warning, [.weakReference], "The end frees the subscriber while its subscription is still held",
    cause: "The reference to downstream is not set to nil at the end; most of Combine's operators do not.")
  static let noCycle = Rule(
    "M-04", .error, [.weakReference], "Publisher, subscription and closures do not keep each other alive",
    cause: "A closure that is stored in the publisher, or the source, captures the subscription.")
  static let releasesOutsideLocks = Rule(
    "M-05", .fatal, [.deterministic, .childProcess], "Values and closures are released outside of locks",
    cause: "A value is overwritten or removed while a lock is held, and its deinit calls back.")

  /// What holds between threads.
  public static let ofThreads: [Rule] = [
    deliveriesDoNotOverlap, cancelAtAnyInstant, requestsLoseNothing, oneEndOfMany, noLockWhileCalling, subjectIsAtomic,
    cleanUnderSanitizer,
  ]

  static let deliveriesDoNotOverlap = Rule(
    "C-01", .fatal, [.gated, .stress], "Deliveries to one subscriber never overlap",
    cause: "Two threads send, or one requests while another delivers, and both call the subscriber.")
  static let cancelAtAnyInstant = Rule(
    "C-02", .fatal, [.gated, .stress], "A cancel is safe at any instant",
    cause: "A flag is read outside of the lock, and what it guards is gone when it is used.")
  static let requestsLoseNothing = Rule(
    "C-03", .error, [.stress], "Requests from several threads lose nothing",
    cause: "The demand is read, changed and written without a lock around all three.")
  static let oneEndOfMany = Rule(
    "C-04", .error, [.gated, .stress], "One completion, when finish, fail and cancel race",
    cause: "Two flags behind two locks tell whether the stream is over.")
  static let noLockWhileCalling = Rule(
    "C-05", .fatal, [.gated], "No lock is held while downstream, upstream or a closure is called",
    cause: "The call stands inside of withLock.")
  static let subjectIsAtomic = Rule(
    "C-06", .error, [.stress], "What a subject does looks as if it was done at one moment",
    cause: "A subscriber can be seen by one send, and not by the next.")
  static let cleanUnderSanitizer = Rule(
    "C-07", .fatal, [.stress], "Nothing is reported by the thread sanitizer",
    cause: "A counter or a flag is used by two threads without a lock.")
}
