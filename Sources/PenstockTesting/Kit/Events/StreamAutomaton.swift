// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A step that breaks a rule, as the automaton sees it.
struct Breach: Sendable {
  let rule: Rule
  let text: String

  init(_ rule: Rule, _ text: String) { (self.rule, self.text) = (rule, text) }
}

/// The grammar of one stream and its demand, as an automaton over the calls of both sides.
///
/// Recordings, the verification of a publisher and a verified chain use the same automaton: it judges each step by what
/// came before, on any thread, and never changes what happens.
struct StreamAutomaton: Sendable {
  private(set) var ledger = Ledger()
  private(set) var subscriptions = 0
  private(set) var isEnded = false
  private(set) var cancels = 0
  /// Whether the subscription stands for a stream that is over: its completion may come after a cancel.
  var isEmpty = false

  /// The calls of the subscriber that are running, in the order in which they began.
  private(set) var running: [(thread: UInt, kind: StreamEvent.Kind)] = []
  private(set) var maxDepth = 0

  /// The thread of the first cancel, from its beginning, and whether that call has returned.
  private var canceller: UInt?
  private var hasReturnedFromCancel = false
  /// One delivery on another thread may be under way when a cancel returns.
  private var hasToleratedLateDelivery = false

  var isCancelled: Bool { canceller != nil }
  var isLive: Bool { subscriptions > 0 && !isEnded && !isCancelled }

  func inside(_ thread: UInt) -> [StreamEvent.Kind] { running.filter { $0.thread == thread }.map(\.kind) }

  // MARK: Calls of the publisher

  mutating func begin(_ kind: StreamEvent.Kind, on thread: UInt) -> [Breach] {
    var breaches: [Breach] = []
    if let other = running.first(where: { $0.thread != thread }) {
      breaches.append(
        Breach(.deliveriesDoNotOverlap, "\(kind.noun) on one thread, while another is in receive of \(other.kind.noun)")
      )
    }
    switch kind {
    case .subscription:
      subscriptions += 1
      if subscriptions > 1 { breaches.append(Breach(.oneSubscription, "a second subscription")) }
      if isEnded { breaches.append(Breach(.silenceAfterCompletion, "a subscription after the completion")) }
    case .value:
      breaches += judgeSignal(kind, on: thread)
      // There is no demand after the end; the break is that anything comes at all.
      if !ledger.deliver(), subscriptions > 0, !isEnded {
        breaches.append(Breach(.valuesWithinDemand, "1 more than granted"))
      }
    default:
      breaches += judgeSignal(kind, on: thread)
      isEnded = true
    }
    running.append((thread, kind))
    if case .value = kind {
      let depth = running.count { if $0.thread == thread, case .value = $0.kind { true } else { false } }
      maxDepth = Swift.max(maxDepth, depth)
    }
    return breaches
  }

  mutating func end(on thread: UInt) {
    if let place = running.lastIndex(where: { $0.thread == thread }) { running.remove(at: place) }
  }

  private mutating func judgeSignal(_ kind: StreamEvent.Kind, on thread: UInt) -> [Breach] {
    var breaches: [Breach] = []
    if subscriptions == 0 { breaches.append(Breach(.subscriptionFirst, "\(kind.noun) before the subscription")) }
    if isEnded { breaches.append(Breach(.silenceAfterCompletion, "\(kind.noun) after the completion")) }
    if isEmpty, case .value = kind {} else if isEmpty { return breaches }
    if canceller == thread {
      breaches.append(Breach(.silenceAfterCancel, "\(kind.noun) after cancel()"))
    } else if hasReturnedFromCancel {
      if hasToleratedLateDelivery {
        breaches.append(Breach(.silenceAfterCancel, "\(kind.noun) after cancel() had returned on another thread"))
      }
      hasToleratedLateDelivery = true
    }
    return breaches
  }

  // MARK: Calls of the subscriber

  mutating func request(_ demand: Subscribers.Demand) -> [Breach] {
    let isEmpty = demand == .none
    ledger.request(demand)
    return isEmpty ? [Breach(.asksForSomething, "request(.none)")] : []
  }

  mutating func returned(_ demand: Subscribers.Demand) { ledger.receiveReturned(demand) }

  mutating func beginCancel(on thread: UInt) {
    cancels += 1
    if canceller == nil { canceller = thread }
  }

  mutating func endCancel() { hasReturnedFromCancel = true }
}

extension StreamEvent.Kind {
  /// The call as a noun, for sentences.
  var noun: String {
    switch self {
    case .subscription: "a subscription"
    case .value(let text): "value \(text)"
    case .finished: "the completion"
    case .failed: "the failure"
    case .requested: "a request"
    case .returned: "returned demand"
    case .cancelled: "a cancel"
    }
  }
}
