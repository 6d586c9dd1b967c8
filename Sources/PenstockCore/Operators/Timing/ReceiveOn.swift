// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers values and the completion on a scheduler.
  ///
  /// Each of them is one block, and each block delivers whatever is first in line: the order stays upstream's, deliveries
  /// do not overlap and the completion comes last, even on a scheduler that runs its blocks on many threads at once.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let cancellable = [1, 2].publisher
  ///   .receive(on: scheduler)
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// print("nothing yet")
  /// scheduler.advance()
  /// // Prints "nothing yet", "1", "2", "finished" on four lines.
  /// ```
  ///
  /// **Demand:** passes to upstream at once, on the thread that asks. What a delivery returns is asked for behind it, on
  /// the scheduler. What has come and has not been delivered is kept, without a limit beyond what was asked for.
  ///
  /// **Completion:** delivered on the scheduler, behind all values.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** the subscription arrives on the thread that subscribes, everything else on the scheduler. A cancel
  /// takes effect at once: blocks that have not run by then deliver nothing.
  ///
  /// - Parameters:
  ///   - scheduler: Where to deliver.
  ///   - options: What the scheduler is told about each block.
  /// - Returns: A publisher of the same values, on the scheduler.
  @inlinable
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that delivers on a scheduler; see ``Publisher/receive(on:options:)``.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are delivered on the scheduler.
    public let upstream: Upstream

    /// Where to deliver.
    public let scheduler: Context

    /// What the scheduler is told about each block.
    public let options: Context.SchedulerOptions?

    /// Makes a publisher that delivers on a scheduler.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      if Context.self == ImmediateScheduler.self {
        // This scheduler runs blocks at once, so no queue is needed.
        upstream.subscribe(Asking(ReceiveAtOnce(), to: subscriber))
      } else {
        upstream.subscribe(Relocating(ReceiveRoute(scheduler, options), to: subscriber))
      }
    }
  }
}

/// How `receive(on:)` schedules its blocks.
@usableFromInline
internal struct ReceiveRoute<Context: Scheduler>: RelocatingRoute {
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?

  @inlinable
  internal init(_ scheduler: Context, _ options: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.options = options
  }

  @inlinable
  internal static var name: String { "ReceiveOn" }

  @inlinable
  internal static var mayPutOff: Bool { true }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(options: options, block)
  }

  @inlinable
  internal func scheduleDue(_ block: @escaping () -> Void) {
    schedule(block)
  }
}

/// The stage of `receive(on:)` on an ``ImmediateScheduler``.
@usableFromInline
internal struct ReceiveAtOnce<Input>: AskingStage, Sendable {
  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "ReceiveOn" }

  @inlinable
  internal func begin() {}

  @inlinable
  internal func receive(_ input: Input) -> Input { input }
}

extension Publishers.ReceiveOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}
