// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore
public import Synchronization

/// What happens to the parts: they get values, deliver them, and end.
extension FanInSubscriber where Parameter: SplitRule, Failure == Parameter.Failure, Engine == SplitEngine<Parameter> {
  // MARK: Parts, for the rule

  /// Whether downstream gets no further parts.
  @inlinable
  internal var refusesParts: Bool { engine.isDownstreamOver.load(ordering: .relaxed) }

  /// Makes a part, which is published by ``publish(_:)``.
  @inlinable
  internal func open(_ mark: Parameter.Mark) -> Part {
    assertOwned()
    engine.partCount += 1
    engine.openCount += 1
    return Part(mark)
  }

  @inlinable
  internal func publish(_ part: Part) {
    engine.unpublished.append(part)
    // A part that a value opens during the delivery of another part is delivered nested, as the value is.
    if !engine.isPublishing || (engine.limits.policy != .hold && demand != .none && engine.unpublished.count == 1) {
      publish()
    }
  }

  /// Delivers a value to the subscriber of a part, or keeps it there.
  @inlinable
  internal func put(_ value: Parameter.Value, in part: Part) {
    assertOwned()
    if let downstream = part.downstream, !part.isServing, !isBusy, part.waiting.isEmpty, part.demand != .none {
      if part.isGone { return noteDiscard(value, .late) }
      begin(serving: part)
      part.demand -= 1
      part.demand += downstream.receive(value)
      end(serving: part)
      settle()
      if !part.waiting.isEmpty || part.ending != nil { serve(part) }
    } else if part.isOver {
      noteDiscard(value, .late)
    } else if part.waiting.count < engine.limits.capacity {
      keep(value, in: part)
    } else {
      overflow(value, part)
    }
  }

  @inlinable
  internal func keep(_ value: Parameter.Value, in part: Part) {
    part.waiting.append(value)
    update(part)
    if isBusy { engine.turns.append((part, false)) }
  }

  @inlinable @inline(never)
  internal func overflow(_ value: Parameter.Value, _ part: Part) {
    switch engine.limits.policy {
    case .hold where part.isPublished || engine.limits.unpublishedHolds || demand == .unlimited:
      if engine.placingRequested ?? false {
        // The value was requested before the part began to hold upstream: a part that was full has been published
        // meanwhile, or several values had been requested. Or the value has been sent from within a delivery, whose end
        // all of them wait for.
        return keep(value, in: part)
      }
      if !engine.upstream.slot.exceedsDemand { trap(.unrequestedValue(operator: name)) }
      noteDiscard(value, .bufferFull)
    case .dropNewest:
      noteDiscard(value, .bufferFull)
    case .dropOldest:
      let oldest = part.waiting.popFirst()
      part.waiting.append(value)
      if let oldest { noteDiscard(oldest, .bufferFull) }
    case .hold, .fail:
      noteDiscard(value, .bufferFull)
      if let failure = engine.rule.overflow(of: part) { endAll(.failure(failure)) }
    }
  }

  /// Ends a part, after the values that wait in it unless it fails.
  ///
  /// The rule has forgotten the part.
  @inlinable
  internal func close(_ part: Part, _ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if !part.isOpen { return }
    part.isOpen = false
    engine.openCount -= 1
    part.ending = completion
    if case .failure = completion { discardWaiting(of: part) }
    update(part)
    serve(part)
    endIfOver()
  }

  /// Ends a part that no subscriber wants.
  @inlinable
  internal func drop(_ part: Part) {
    assertOwned()
    if part.isOver { return }
    part.isOver = true
    engine.partCount -= 1
    if part.isOpen {
      part.isOpen = false
      engine.openCount -= 1
      engine.rule.forget(part)
    }
    let downstream = part.set(nil)
    discardWaiting(of: part)
    withExtendedLifetime(downstream) {}
  }

  @inlinable
  internal func discardWaiting(of part: Part) {
    let rest = exchange(&part.waiting, with: [])
    update(part)
    noteDiscards(of: rest, .ended)
    withExtendedLifetime(rest) {}
  }

  /// Records whether a part holds upstream back, and whether upstream is asked for one value at a time because of it.
  @inlinable
  internal func update(_ part: Part) {
    part.shownWaiting.set(part.waiting.count)
    let mayWait = part.isPublished && !part.takesEverything
    let holds = mayWait && part.waiting.count >= engine.limits.capacity
    if holds != part.isHolding {
      part.isHolding = holds
      engine.holdingCount += holds ? 1 : -1
    }
    let isLimited = mayWait && part.isOpen
    if isLimited != part.isLimited {
      part.isLimited = isLimited
      engine.limitedCount += isLimited ? 1 : -1
    }
  }

  @inlinable
  internal func begin(serving part: Part) {
    part.isServing = true
    engine.servingCount += 1
  }

  @inlinable
  internal func end(serving part: Part) {
    part.isServing = false
    engine.servingCount -= 1
    if part.isLimited { update(part) }
  }

  /// Whether a part is delivering a value, so that values that arrive meanwhile have to wait, if parts hold upstream
  /// back.
  ///
  /// What a subscriber sends to a subject upstream has been requested only if the previous value has been placed: so
  /// deliveries do not nest, however many parts are involved. If everything is requested from upstream, nothing has to
  /// wait.
  @inlinable
  internal var isBusy: Bool { engine.servingCount > 0 && engine.limits.policy == .hold }

  /// Delivers what has arrived during a delivery, in order.
  @inlinable @inline(__always)
  internal func settle() {
    if !engine.turns.isEmpty || !engine.unpublished.isEmpty { takeTurns() }
  }

  @inlinable @inline(never)
  internal func takeTurns() {
    if engine.isPublishing || engine.isSettling || isBusy { return }
    engine.isSettling = true
    while let (part, isForAll) = engine.turns.popFirst() {
      if part.isPublished { serve(part, isForAll ? .max : 1) } else if !part.isOver { publish(1) }
    }
    engine.isSettling = false
    if !engine.unpublished.isEmpty { publish() }
  }

  /// Delivers the values that wait in a part, as far as they are requested, and then the completion.
  ///
  /// - Parameter most: The maximum number of values.
  @inlinable
  internal func serve(_ part: Part, _ most: Int = .max) {
    assertOwned()
    guard let downstream = part.downstream, !part.isServing else { return }
    if isBusy { return engine.turns.append((part, true)) }
    // Values that arrive during a delivery have their own turn.
    var rest = engine.limits.policy == .hold ? min(most, part.waiting.count) : most
    begin(serving: part)
    while rest > 0, part.demand != .none, !part.isGone, let value = part.waiting.popFirst() {
      update(part)
      rest -= 1
      part.demand -= 1
      part.demand += downstream.receive(value)
    }
    end(serving: part)
    defer { settle() }
    guard part.waiting.isEmpty, !part.isGone, let ending = part.ending else { return }
    part.isOver = true
    engine.partCount -= 1
    _ = part.set(nil)
    downstream.receive(completion: ending)
    endIfOver()
  }

  // MARK: The subscribers of parts

  /// Made once, and not for each part, since it captures nothing.
  @inlinable
  internal static func makePartWork() -> (SerialSubscription, Part, PartCall) -> Void {
    { core, part, call in unsafeDowncast(core, to: Self.self).submit(call, for: part) }
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
    case .join(let downstream):
      if part.isOver { return }
      _ = part.set(downstream)
      update(part)
      serve(part)
    case .request(let demand):
      part.demand += demand
      update(part)
      serve(part)
    case .leave:
      drop(part)
      endIfOver()
    }
    ask()
  }
}
