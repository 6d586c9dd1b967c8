// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockDeliveryTesting
import TestSupport

/// Mistakes of engines and adapters, to check that the rules find them.
enum EngineFault: String, CaseIterable, Sendable, CustomStringConvertible {
  case takesUnasked = "takes a batch before anybody asks"
  case takesOneMore = "takes one more than is requested"
  case takesOneLess = "keeps the last one back"
  case reverses = "delivers batches backwards"
  case dropsHeaders = "drops the headers"
  case trimsTexts = "trims texts"
  case forgetsAcks = "does not pass acknowledgements on"
  case forgetsNaks = "does not give back"
  case forgetsDelays = "gives back at once what is to come later"
  case terminatesByGivingBack = "gives back what is to be terminated"
  case forgetsExtensions = "does not extend"
  case countsNoAttempts = "calls every attempt the first"
  case allowsSecondWord = "says nothing when a delivery is settled twice"
  case keepsOnCancel = "gives nothing back on a cancel"
  case countsWhatWasNotTried = "counts what a cancel gives back as tried"
  case countsTwice = "counts what is fetched twice"
  case failsWhenDrained = "ends only when everything is settled"
  case forgetsIDs = "publishes without ids"
  case asksForAll = "requests everything that is to be published"
  case deliversTwice = "delivers to each of two subscribers"
  case takesTwoBatches = "prefetches two batches"
  case looksOnce = "ends when it has delivered what was there"
  case forgetsDeadlines = "does not redeliver what has expired"
  case acknowledgesWhatFails = "acknowledges what is given back"
  case sendsNothingWhenCancelled = "sends nothing to the broker in a cancelled task"
  case countsTwoAttempts = "counts two attempts and no more"
  case endsWithServer = "ends its streams when the server is away"
  case waitsForServer = "waits for ever for a server that is away"

  var description: String { rawValue }

  /// The identifiers of the rules that have to find it.
  var rules: [String] {
    switch self {
    case .takesUnasked: ["D-01", "D-19"]
    case .takesOneMore: ["D-02"]
    case .takesOneLess, .forgetsAcks: ["D-04"]
    case .reverses: ["D-03"]
    case .takesTwoBatches: ["D-05"]
    case .looksOnce: ["D-06"]
    case .dropsHeaders, .trimsTexts: ["D-07"]
    case .forgetsDeadlines: ["D-08"]
    case .forgetsExtensions: ["D-09"]
    case .forgetsNaks, .countsNoAttempts: ["D-10"]
    case .acknowledgesWhatFails: ["D-16"]
    case .forgetsDelays: ["D-11"]
    case .terminatesByGivingBack: ["D-12"]
    case .allowsSecondWord: ["D-13"]
    case .deliversTwice: ["D-14"]
    case .keepsOnCancel, .countsWhatWasNotTried: ["D-15"]
    case .sendsNothingWhenCancelled: ["D-17"]
    case .countsTwoAttempts: ["D-18"]
    case .countsTwice: ["D-20", "D-21"]
    case .failsWhenDrained: ["D-22"]
    case .asksForAll: ["D-23"]
    case .forgetsIDs: ["D-24"]
    case .endsWithServer: ["D-25"]
    case .waitsForServer: ["D-26"]
    }
  }
}

/// The engine in memory, with a mistake.
struct FaultyEngine: DeliveryEngine {
  let fault: EngineFault
  private let queue: DeliveryQueue<String>
  private let second: DeliveryQueue<String>
  private let subscribers = Locked(0)
  private let publishers = Locked<[QueuedDeliveries<String>]>([])

  init(_ fault: EngineFault, deadline: Duration) {
    self.fault = fault
    queue = DeliveryQueue(capacity: 1_000, deadline: fault == .forgetsDeadlines ? .seconds(3_600) : deadline)
    second = DeliveryQueue(capacity: 1_000, deadline: deadline)
  }

  func publish(_ texts: [String], headers: [String: String]) async throws {
    for text in texts {
      let text = fault == .trimsTexts ? String(text.filter { !$0.isNewline }) : text
      try await queue.publish(text, headers: fault == .dropsHeaders ? [:] : headers)
      if fault == .deliversTwice { try await second.publish(text, headers: headers) }
    }
  }

  func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> AnyPublisher<FaultyDelivery, Never> {
    let isSecond = subscribers.change { count in
      count += 1
      return count.isMultiple(of: 2)
    }
    let queue = fault == .deliversTwice && isSecond ? second : queue
    let items = queue.deliveries(
      batch: fault == .takesTwoBatches ? batch.lowerBound...2 * batch.upperBound : batch,
      refillAt: fault == .takesUnasked ? batch.upperBound - 1 : lowMark)
    publishers.change { $0.append(items) }
    let faulty = items.map { [fault] in FaultyDelivery(base: $0, fault: fault, isLate: isSecond) }
    return switch fault {
    case .takesOneMore: faulty.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
    case .keepsOnCancel: faulty.buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
    case .looksOnce: faulty.prefix(1).eraseToAnyPublisher()
    case .takesOneLess: faulty.dropFirst().eraseToAnyPublisher()
    case .reverses: faulty.collect(2).flatMap { $0.reversed().publisher }.eraseToAnyPublisher()
    default: faulty.eraseToAnyPublisher()
    }
  }

  func text(of delivery: FaultyDelivery) -> String { delivery.payload }

  func unsettledCount() -> Int { queue.counts.unsettled + second.counts.unsettled }

  func retainedCount() -> Int { unsettledCount() + queue.counts.waiting + second.counts.waiting }

  var capabilities: DeliveryCapabilities {
    let isAway = fault == .endsWithServer || fault == .waitsForServer
    return isAway ? .all : [.creditCounts, .draining, .streamSubscriber]
  }

  func stopServer() { if fault == .endsWithServer { queue.finish() } }

  func startServer() {}

  func creditCounts() -> [CreditCounts] {
    publishers.value.map(\.counts).map { counts in
      var counts = counts
      if fault == .countsTwice { counts.fetched *= 2 }
      return counts
    }
  }

  func drain() async { if fault == .failsWhenDrained { queue.finish() } else { await queue.drain() } }

  func publish(
    _ texts: AnyPublisher<String, Never>, maxInFlight: Int, withMessageIDs: Bool
  ) async throws -> StreamCounts {
    let limit = fault == .asksForAll ? 1_000 : maxInFlight
    let writer = queue.streamSubscriber(failure: Never.self, maxInFlight: limit) { [fault] text in
      StreamMessage(text, id: withMessageIDs && fault != .forgetsIDs ? text : nil)
    }
    texts.subscribe(writer)
    try await writer.finished()
    return writer.counts
  }
}

/// A delivery of an engine with a mistake.
struct FaultyDelivery: Delivery {
  let base: QueuedDelivery<String>
  let fault: EngineFault
  /// Whether it has come to the second subscriber.
  let isLate: Bool

  var payload: String { base.payload }
  var subject: String { base.subject }
  var headers: [String: String] { base.headers }
  var attempt: Int {
    switch fault {
    case .countsNoAttempts: 1
    case .countsTwoAttempts: min(base.attempt, 2)
    case .countsWhatWasNotTried: base.attempt + (isLate ? 1 : 0)
    default: base.attempt
    }
  }
  var age: Duration { base.age }
  var deadline: Duration? { base.deadline }

  func ack() async throws(DeliveryError) {
    if fault != .forgetsAcks { try await passing { () async throws(DeliveryError) in try await base.ack() } }
  }

  func nak(after delay: Duration?) async throws(DeliveryError) {
    if fault == .forgetsNaks { return }
    if fault == .acknowledgesWhatFails { return try await base.ack() }
    try await passing { () async throws(DeliveryError) in
      try await base.nak(after: fault == .forgetsDelays ? nil : delay)
    }
  }

  func extend() async throws(DeliveryError) {
    if fault != .forgetsExtensions { try await passing { () async throws(DeliveryError) in try await base.extend() } }
  }

  func terminate() async throws(DeliveryError) {
    if fault == .terminatesByGivingBack { return try await base.nak(after: nil) }
    try await passing { () async throws(DeliveryError) in try await base.terminate() }
  }

  private func passing(_ settle: () async throws(DeliveryError) -> Void) async throws(DeliveryError) {
    if fault == .sendsNothingWhenCancelled, Task.isCancelled { return }
    do throws(DeliveryError) {
      try await settle()
    } catch {
      if fault != .allowsSecondWord { throw error }
    }
  }
}
