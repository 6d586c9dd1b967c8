// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One publisher under test, without its types.
struct ErasedPublisher {
  /// Subscribes a probe; probes with the same identifier count as one subscriber attached twice.
  let subscribe: (Probe, CombineIdentifier) -> Void
  /// Lets time pass, where the publisher needs that.
  let settle: () -> Void
  /// Whether it has delivered everything when `settle` returns, according to its author; otherwise it may have threads
  /// that take their time.
  let isDriven: Bool
  /// The number of resources that the publisher holds open; `nil` if nobody counts them.
  let resources: (() -> Int)?
  /// The kit's scheduler, on which the publisher works; `nil` where it was given none.
  var scheduler: VerificationScheduler?
  /// Whether values that are not requested as they come are lost.
  var dropsUnrequested = false
  /// Whether its subscribers share one run, so that none of them says anything about another.
  var isShared = false

  init(subscribe: @escaping (Probe, CombineIdentifier) -> Void, settle: @escaping () -> Void) {
    (self.subscribe, self.settle, isDriven, resources) = (subscribe, settle, true, nil)
  }

  /// Makes a publisher on a scheduler of its own, which a check lets run for a given time after each step.
  init<P: Publisher>(passing time: VirtualTime.Stride, _ make: (VerificationScheduler) -> P) {
    let scheduler = VerificationScheduler()
    self.init(Driven(make(scheduler), settle: { scheduler.advance(by: time) }))
    self.scheduler = scheduler
  }

  init<P: Publisher>(_ driven: Driven<P>) {
    let publisher = driven.publisher
    subscribe = { publisher.subscribe(ProbeSubscriber<P.Output, P.Failure>(probe: $0, combineIdentifier: $1)) }
    settle = driven.settle ?? {}
    isDriven = driven.settle != nil
    resources = driven.resources
  }

  private init(pacing other: Self, settle: @escaping () -> Void) {
    (subscribe, isDriven, resources, scheduler, dropsUnrequested, isShared) = (
      other.subscribe, other.isDriven, other.resources, other.scheduler, other.dropsUnrequested, other.isShared
    )
    self.settle = settle
  }

  /// The operator applied to an upstream that delivers its numbers one at a time as time passes, and then ends.
  ///
  /// For operators that drop what comes too fast: of numbers that come all at once, with an end after them, hardly any
  /// would be left.
  func paced(_ control: UpstreamControl, _ count: Int) -> Self {
    let settle = settle
    return ErasedPublisher(pacing: self) {
      settle()
      // Each upstream has its numbers once, in the first time that passes for it, and is over then: it holds no
      // subscriber.
      let links = control.takeLinks()
      if links.isEmpty { return }
      for number in 0..<count {
        for link in links { link.deliver(number) }
        settle()
      }
      for link in links { link.end() }
      settle()
    }
  }
}
