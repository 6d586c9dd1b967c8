// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// What happens to the parts: they get values, deliver them, and end.
extension SplitCore {
  // MARK: Parts, for the rule

  /// Whether downstream gets no further parts.
  @inlinable
  package var refusesParts: Bool { isDownstreamOver.load(ordering: .relaxed) }

  /// Makes a part, which is published by ``publish(_:)``.
  @inlinable
  package func open(_ mark: Rule.Mark) -> Part {
    assertOwned()
    partCount += 1
    openCount += 1
    return Part(mark)
  }

  @inlinable
  package func publish(_ part: Part) {
    unpublished.append(part)
    // One that a value opens during the delivery of another part nests, as the value does, unless it begins when the other one
    // has ended.
    if !isPublishing || (!limits.unpublishedHolds && demand != .none && unpublished.count == 1) { publish() }
  }

  /// Delivers a value to the subscriber of a part, or keeps it there.
  @inlinable
  package func put(_ value: Rule.Value, in part: Part) {
    assertOwned()
    if let subscription = part.subscription, !part.isServing, part.waiting.isEmpty, subscription.demand != .none {
      if subscription.isCancelled.load(ordering: .relaxed) { return noteDiscard(value, .late) }
      part.isServing = true
      subscription.demand -= 1
      subscription.demand += subscription.deliver(value: value)
      part.isServing = false
      if part.isLimited { update(part) }
      if !part.waiting.isEmpty || part.ending != nil { serve(part) }
    } else if part.isOver {
      noteDiscard(value, .late)
    } else if part.waiting.count < limits.capacity {
      part.waiting.append(value)
      update(part)
    } else {
      overflow(value, part)
    }
  }

  @inlinable @inline(never)
  internal func overflow(_ value: Rule.Value, _ part: Part) {
    switch limits.policy {
    case .hold where part.isPublished || limits.unpublishedHolds || demand == .unlimited:
      if awaited != .none {
        // It was requested before the part began to hold upstream: a part that was full has been published meanwhile, or
        // several have been requested. Or it has been sent from within a delivery, whose end all of them wait for.
        part.waiting.append(value)
        return update(part)
      }
      if !upstream.slot.exceedsDemand { trap(.unrequestedValue(operator: name)) }
      noteDiscard(value, .bufferFull)
    case .dropNewest:
      noteDiscard(value, .bufferFull)
    case .dropOldest:
      let oldest = part.waiting.popFirst()
      part.waiting.append(value)
      if let oldest { noteDiscard(oldest, .bufferFull) }
    case .hold, .fail:
      noteDiscard(value, .bufferFull)
      if let failure = rule.overflow(of: part) { finish(.failure(failure)) }
    }
  }

  /// Ends a part, behind the values that wait in it unless it fails.
  ///
  /// The rule has forgotten the part.
  @inlinable
  package func close(_ part: Part, _ completion: Subscribers.Completion<Rule.Failure>) {
    assertOwned()
    if !part.isOpen { return }
    part.isOpen = false
    openCount -= 1
    part.ending = completion
    if case .failure = completion { discardWaiting(of: part) }
    update(part)
    serve(part)
    endIfOver()
  }

  /// Ends a part that nobody wants.
  @inlinable
  package func drop(_ part: Part) {
    assertOwned()
    if part.isOver { return }
    part.isOver = true
    partCount -= 1
    if part.isOpen {
      part.isOpen = false
      openCount -= 1
      rule.forget(part)
    }
    let subscription = exchange(&part.subscription, with: nil)
    discardWaiting(of: part)
    withExtendedLifetime(subscription) {}
  }

  @inlinable
  internal func discardWaiting(of part: Part) {
    let rest = exchange(&part.waiting, with: [])
    update(part)
    noteDiscards(of: rest, .ended)
    withExtendedLifetime(rest) {}
  }

  /// Notes whether a part holds upstream back, and whether upstream is asked for one value at a time because of it.
  @inlinable
  internal func update(_ part: Part) {
    part.shownWaiting.set(part.waiting.count)
    let mayWait = part.isPublished && !part.takesEverything
    let holds = mayWait && part.waiting.count >= limits.capacity
    if holds != part.isHolding {
      part.isHolding = holds
      holdingCount += holds ? 1 : -1
    }
    let isLimited = mayWait && part.isOpen
    if isLimited != part.isLimited {
      part.isLimited = isLimited
      limitedCount += isLimited ? 1 : -1
    }
  }

  /// Delivers what waits in a part, as far as it is requested, and the completion behind it.
  @inlinable
  internal func serve(_ part: Part) {
    assertOwned()
    guard let subscription = part.subscription, !part.isServing else { return }
    part.isServing = true
    while subscription.demand != .none, !subscription.isCancelled.load(ordering: .relaxed),
      let value = part.waiting.popFirst()
    {
      update(part)
      subscription.demand -= 1
      subscription.demand += subscription.deliver(value: value)
    }
    part.isServing = false
    if part.isLimited { update(part) }
    guard part.waiting.isEmpty, !part.isGone, let ending = part.ending else { return }
    part.isOver = true
    partCount -= 1
    part.subscription = nil
    subscription.end(ending)
    endIfOver()
  }

  // MARK: The subscribers of parts

  /// Made once, not for each part: it captures nothing.
  @inlinable
  internal static func makePartWork() -> (SerialSubscription, Part, PartCall) -> Void {
    { core, part, call in unsafeDowncast(core, to: SplitCore.self).submit(call, for: part) }
  }

  @inlinable
  internal func submit(_ call: PartCall, for part: Part) {
    Unmanaged<SerialSubscription>.passUnretained(self).act(
      or: (), { perform(call, for: part) }, later: { postpone($0) { self.perform(call, for: part) } })
  }

  @inlinable
  internal func perform(_ call: PartCall, for part: Part) {
    assertOwned()
    switch call {
    case .join(let subscription):
      if part.isOver { return }
      part.subscription = subscription
      update(part)
      serve(part)
    case .request(let subscription, let demand):
      subscription.demand += demand
      update(part)
      serve(part)
    case .leave:
      drop(part)
      endIfOver()
    }
    ask()
  }
}
