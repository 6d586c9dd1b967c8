// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The upstream subscription, and what is requested from it.
extension ShareFanOut {
  /// Upstream's subscription, for tools.
  internal var feeds: [AnyObject] {
    queue.withLock { $0.state.upstream }?.slot.base.map { [$0] } ?? []
  }

  /// Asks an upstream whose subscription is there, in its turn.
  @inlinable
  internal func open(_ upstream: SharedUpstream) {
    act({ begin(asking: upstream) }, orQueue: .open(upstream))
  }

  /// Begins with a new upstream subscription, if it is one.
  ///
  /// All members of the one before have left.
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

  /// Requests from upstream what may be requested.
  ///
  /// Upstream may deliver during the request, and members may join and leave: so all of it is looked at anew each time,
  /// and a call from within leaves the rest to the one that is running. Hence the stack does not grow with the values.
  @inlinable @inline(never)
  internal func ask() {
    if isAsking || !isWanted { return }
    isAsking = true
    while let source, isWanted, let demand = takeDemand() { source.slot.request(demand) }
    isAsking = false
  }

  /// What is to be requested now, which counts as requested then; `nil` if nothing is.
  @inlinable
  internal func takeDemand() -> Subscribers.Demand? {
    guard bound > 0 else {
      source = nil
      return .unlimited
    }
    // Without members there is no slowest one, and they may be about to leave for good.
    if present == 0 { return nil }
    let room = start + bound - asked
    // Not for each value, unless nothing else is to come: a member may wait for all that another one leaves room for.
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

  /// Cancels the upstream subscription if its time without members is over.
  ///
  /// - Parameter arrivals: The number of the time.
  /// - Returns: The number of the present time without members, if it is another one.
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
