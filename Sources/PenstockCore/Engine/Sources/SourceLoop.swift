// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The part that is particular to a source that emits on request: its outputs and its completion.
///
/// One thread at a time uses a stage, not always the same one. The stage is released when the stream has ended or has
/// been cancelled, and no call of ``next()`` or delivery is running.
@usableFromInline
package protocol SourceStage<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  /// Makes the next output; `nil` if the stream completes instead.
  ///
  /// Called while there is demand, and not again after the end. It may run closures of the user's, which may request
  /// and cancel.
  mutating func next() -> Output?

  /// Whether ``next()`` runs no code of the user's: it neither blocks nor sends, and nobody sees when it is called.
  static var isQuiet: Bool { get }

  /// Whether the latest output was the last one, so that the completion follows it without a further request.
  var isExhausted: Bool { get }

  /// The completion; read when ``next()`` has returned `nil`, or when ``isExhausted``.
  var ending: Subscribers.Completion<Failure> { get }
}

extension SourceStage {
  @_alwaysEmitIntoClient
  package static var isQuiet: Bool { false }

  @_alwaysEmitIntoClient
  package var isExhausted: Bool { false }
}

/// The loop of a source, stored in a ``LoopSubscription``.
///
/// One thread at a time runs it; the ledger passes it from thread to thread.
@usableFromInline
internal struct SourceLoop<Stage: SourceStage, Downstream: Subscriber>
where Stage.Output == Downstream.Input, Stage.Failure == Downstream.Failure {
  @usableFromInline internal var stage: Stage
  @usableFromInline internal let downstream: Downstream

  @_alwaysEmitIntoClient
  internal init(_ stage: consuming Stage, downstream: Downstream) {
    self.stage = stage
    self.downstream = downstream
  }

  /// The result of one pass of the loop.
  @usableFromInline
  internal enum Outcome {
    case demandIsMet, cancelled
    case ended(Subscribers.Completion<Stage.Failure>)
  }

  /// Emits as many outputs as there is demand for.
  ///
  /// - Parameter pause: Stores the loop in the subscription, so that another thread can continue it; `nil` removes it.
  @inlinable
  internal mutating func run(_ ledger: borrowing DemandLedger, pause: (Self?) -> Void) -> Outcome {
    var granted = ledger.balance
    while true {
      if granted.isUnlimited { return emitAll(ledger) }
      let outcome = emit(&granted, ledger)
      guard case .demandIsMet = outcome else { return outcome }
      if granted.isUnlimited { continue }
      // Stored before the ledger is debited: while the ledger shows demand, no other thread starts the loop.
      pause(self)
      guard let left = ledger.withdraw(granted) else { return .cancelled }
      if left == .none { return .demandIsMet }
      // Removed again: of two copies of a stage with a buffer, the next output would copy the buffer.
      pause(nil)
      granted = left
    }
  }

  /// Delivers without counting demand, until the stream ends or the subscription is cancelled.
  ///
  /// A function of its own: in that of the subscription, the loop has fewer registers, which costs ten instructions a value.
  @inlinable @inline(never)
  internal mutating func emitAll(_ ledger: borrowing DemandLedger) -> Outcome {
    if Stage.isQuiet, Downstream._takesRuns { return emitRun(ledger) }
    // In a local variable: read from the loop's own memory, it would be retained for the length of each call.
    let downstream = downstream
    while !ledger.isClosed {
      guard let output = stage.next() else { return .ended(stage.ending) }
      // The stage may run a user's closure, which may cancel.
      if ledger.isClosed { return .cancelled }
      _ = downstream.receive(output)
      if stage.isExhausted { return .ended(stage.ending) }
    }
    return .cancelled
  }

  /// The same, for a subscriber that takes many outputs at a time.
  @inlinable
  internal mutating func emitRun(_ ledger: borrowing DemandLedger) -> Outcome {
    let downstream = downstream
    var ending: Subscribers.Completion<Stage.Failure>?
    downstream._receiveRun {
      if ledger.isClosed { return nil }
      if !stage.isExhausted, let output = stage.next() { return output }
      ending = stage.ending
      return nil
    }
    return ending.map { .ended($0) } ?? .cancelled
  }

  /// Delivers a number of outputs, plus as many as the subscriber adds by the demand it returns, and continues with the
  /// demand that it requests meanwhile.
  ///
  /// - Parameter granted: The demand that is being served and has not been withdrawn; unlimited if everything is
  ///   requested.
  @inlinable
  internal mutating func emit(_ granted: inout Subscribers.Demand, _ ledger: borrowing DemandLedger) -> Outcome {
    let downstream = downstream
    var left = granted
    while true {
      while left != .none {
        if ledger.isClosed { return .cancelled }
        guard let output = stage.next() else { return .ended(stage.ending) }
        if ledger.isClosed { return .cancelled }
        left = left - 1 + downstream.receive(output)
        if stage.isExhausted { return .ended(stage.ending) }
      }
      guard let more = ledger.withdraw(leavingSome: granted) else { return .demandIsMet }
      granted = more
      left = more
      if more.isUnlimited { return .demandIsMet }
    }
  }
}

extension LoopSubscription {
  /// Creates a subscription with the loop in it.
  @inlinable
  internal convenience init<Stage: SourceStage, Downstream: Subscriber>(
    _ loop: consuming SourceLoop<Stage, Downstream>, shown: consuming Any?, nameAfterEnd: String,
    mirrored: @escaping (Any?) -> [(label: String?, value: Any)]
  ) {
    self.init(
      shown: shown, nameAfterEnd: nameAfterEnd, mirrored: mirrored,
      work: Self.work(of: SourceLoop<Stage, Downstream>.self))
    waiting.put(loop)
  }

  @inlinable
  internal static func work<Stage: SourceStage, Downstream: Subscriber>(
    of type: SourceLoop<Stage, Downstream>.Type
  ) -> (LoopSubscription, Order) -> Void {
    { me, order in
      if case .tell(let links) = order { return addPassed(Downstream.self, to: links) }
      // Run as a local variable, which needs no reload after each call downstream.
      guard var loop = me.waiting.take(SourceLoop<Stage, Downstream>.self), case .run = order else { return }
      let outcome = loop.run(
        me.ledger,
        pause: {
          if let loop = $0 { me.waiting.put(loop) } else { _ = me.waiting.take(SourceLoop<Stage, Downstream>.self) }
        })
      switch outcome {
      case .demandIsMet:
        return
      case .cancelled:
        _ = me.waiting.take(SourceLoop<Stage, Downstream>.self)
        me.end()
      case .ended(let completion):
        me.complete { loop.downstream.receive(completion: completion) }
      }
    }
  }
}

/// Not specialised: it is rarely used.
@usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
internal func addPassed<S: Subscriber>(_ type: S.Type, to links: UnsafeMutablePointer<PassedLinks>) {
  links.pointee.add(S.self)
}

/// Delivers a subscription to a subscriber, and then the outputs of a stage on request.
///
/// - Parameters:
///   - stage: The outputs and the completion.
///   - name: The text that `print()` prints for the subscription.
///   - downstream: The subscriber.
@inlinable
package func attachSource<Stage: SourceStage, Downstream: Subscriber>(
  _ stage: consuming Stage, name: String, to downstream: Downstream
) where Stage.Output == Downstream.Input, Stage.Failure == Downstream.Failure {
  attachSource(stage, shown: nil, nameAfterEnd: name, mirrored: { _ in [] }, to: downstream)
}

/// The same, for a source whose subscription shows a value until the end; see ``LoopSubscription``.
@inlinable
package func attachSource<Stage: SourceStage, Downstream: Subscriber>(
  _ stage: consuming Stage, shown: consuming Any?, nameAfterEnd: String,
  mirrored: @escaping (Any?) -> [(label: String?, value: Any)], to downstream: Downstream
) where Stage.Output == Downstream.Input, Stage.Failure == Downstream.Failure {
  let subscription = LoopSubscription(
    SourceLoop(stage, downstream: downstream), shown: shown, nameAfterEnd: nameAfterEnd, mirrored: mirrored)
  downstream.receive(subscription: subscription)
  subscription.endIntroduction()
}
