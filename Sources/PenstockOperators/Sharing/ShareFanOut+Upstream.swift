// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The upstream subscription, and what is requested from it.
extension ShareFanOut {
  /// Upstream's subscription, for tools.
  internal var feeds: [AnyObject] {
    queue.withLock { $0.state.upstream }?.slot.base.map { [$0] } ?? []
  }

  /// Asks an upstream whose subscription has arrived, when the signal's turn comes.
  @inlinable
  internal func open(_ upstream: SharedUpstream) {
    act({ begin(asking: upstream) }, orQueue: .open(upstream))
  }

  /// Begins with an upstream subscription, if it is a new one.
  ///
  /// All members of the previous subscription have left.
  @inlinable
  internal func begin(_ generation: UInt) {
    guard generation > self.generation else { return }
    self.generation = generation
    source = nil
    asked = end
    isWanted = false
  }

  @inlinable
  internal func begin(asking upstream: SharedUpstream) {
    guard upstream.generation == generation, ending == nil else { return }
    source = upstream
    ask()
  }

  /// Requests as many values from upstream as are allowed.
  ///
  /// Upstream may deliver during the request, and members may join and leave: so everything is checked again each time,
  /// and a nested call leaves the rest to the one that is running. Hence the stack does not grow with the number of
  /// values.
  @inlinable @inline(never)
  internal func ask() {
    if isAsking || !isWanted { return }
    isAsking = true
    while let source, isWanted, let demand = takeDemand() { source.slot.request(demand) }
    isAsking = false
  }

  /// Returns the demand to request now, which counts as requested from then on; `nil` if there is none.
  @inlinable
  internal func takeDemand() -> Subscribers.Demand? {
    guard bound > 0 else {
      source = nil
      return .unlimited
    }
    // Without members there is no slowest one, and the subscription may be about to be cancelled.
    if present == 0 { return nil }
    let room = start + bound - asked
    // Not for each value, unless no other value is to come: a member may need every value for which another one leaves
    // room.
    guard room >= (bound + 1) / 2 || (room > 0 && asked == end) else { return nil }
    asked += room
    return .max(Int(room))
  }

  // MARK: The end

  /// Removes a member from the count, and cancels the upstream subscription after the last one, or after a time.
  ///
  /// The member's removal has been submitted already.
  @usableFromInline
  internal func memberLeft() {
    var arrivals: UInt = 0
    let upstream = queue.withLock { contents -> SharedUpstream? in
      contents.state.count -= 1
      guard contents.state.count == 0, contents.state.upstream != nil else { return nil }
      arrivals = contents.state.arrivals
      return grace == nil ? contents.state.upstream.take() : nil
    }
    if let upstream { cancel(upstream) } else if arrivals > 0 { grace?.start(arrivals) }
  }

  /// Cancels the upstream subscription if its period without members is over.
  ///
  /// - Parameter arrivals: The number of the period.
  /// - Returns: The number of the present period without members, if it is a different one.
  @usableFromInline
  internal func expire(_ arrivals: UInt) -> UInt? {
    let (upstream, other) = queue.withLock { contents -> (SharedUpstream?, UInt?) in
      guard contents.state.count == 0, contents.state.upstream != nil else { return (nil, nil) }
      if contents.state.arrivals != arrivals { return (nil, contents.state.arrivals) }
      return (contents.state.upstream.take(), nil)
    }
    if let upstream { cancel(upstream) }
    return other
  }

  /// Cancels the upstream subscription for good.
  @usableFromInline
  internal func cancel() {
    let upstream = queue.withLock { $0.state.upstream.take() }
    grace?.stop()
    if let upstream { cancel(upstream) }
  }

  @usableFromInline
  internal func cancel(_ upstream: SharedUpstream) { upstream.slot.cancel(early: true) }
}
