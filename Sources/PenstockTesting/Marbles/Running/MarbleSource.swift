// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The publisher of a source in a ``MarbleDiagram``.
///
/// Without `^` in its line it is like a subject: it sends at the steps that the diagram says, whether or not anybody
/// listens, and drops values that are not requested. With `^` it is like a sequence: it begins when it is subscribed
/// to, and values that are not requested wait.
///
/// **Demand:** delivers no more than is requested; the line of its demand shows the requests.
///
/// **Completion:** finishes at `|`, without demand. A source that begins with its subscription first delivers the
/// values that wait.
///
/// **Failure:** fails at `#`, in the same way.
///
/// **Concurrency:** must be used on the thread that runs the diagram.
public final class MarbleSource<Output, Failure: Error>: Publisher {
  private typealias Signal = MarbleSignal<Output, Failure>

  private let name: String
  private let isCold: Bool
  private let timeline: MarbleTimeline
  /// The signals that are still to be sent: of a source that sends in any case, by step; of a source that begins with
  /// its subscription, those of each of its runs, by steps from the beginning of the run.
  private let runs: [[(mark: MarbleLane.Mark, signal: Signal)]]
  private var subscriptions: [MarbleSubscription<Output, Failure>] = []
  private var completion: Subscribers.Completion<Failure>?
  private var runCount = 0

  internal init(
    lane: MarbleLane, timeline: MarbleTimeline, signal: (MarbleLane.Mark) -> MarbleSignal<Output, Failure>?
  ) {
    name = lane.name
    isCold = lane.isCold
    self.timeline = timeline
    var runs: [[(mark: MarbleLane.Mark, signal: Signal)]] = isCold ? [] : [[]]
    var start = 0
    for mark in lane.marks {
      if mark.event == .subscribed {
        runs.append([])
        start = mark.step
      } else if let signal = signal(mark) {
        runs[runs.count - 1].append((MarbleLane.Mark(step: mark.step - start, event: mark.event), signal))
      }
    }
    self.runs = runs
  }

  /// Schedules the signals of a source that sends whether or not anybody listens.
  internal func start() {
    guard !isCold else { return }
    for (mark, signal) in runs[0] {
      timeline.schedule(at: mark.step) { [self] in send(signal, mark.event) }
    }
  }

  private func send(_ signal: Signal, _ event: MarbleEvent) {
    if case .completion(let end) = signal { completion = end }
    var (isTaken, isDropped) = (false, false)
    for subscription in subscriptions where !subscription.isOver {
      if subscription.send(signal, waits: false) { isTaken = true } else { isDropped = true }
    }
    // A failure of the diagram reports that, since nothing else does.
    if isDropped { timeline.noteDropped(event, of: name, forAll: !isTaken) }
    subscriptions.removeAll(where: \.isOver)
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let (name, timeline) = (name, timeline)
    let subscription = MarbleSubscription<Output, Failure>(AnySubscriber(subscriber), name, timeline)
    guard timeline.thread.isHere(name) else { return }
    let start = timeline.step
    timeline.note(.subscribed, of: name)
    if isCold {
      if runCount < runs.count {
        for (mark, signal) in runs[runCount] {
          // Signals in the step of the subscription come right after it.
          if mark.step == 0 {
            subscription.send(signal, waits: true)
          } else {
            timeline.schedule(at: start + mark.step) { subscription.send(signal, waits: true) }
          }
        }
        runCount += 1
      }
    } else {
      subscriptions.append(subscription)
      if let completion { subscription.send(.completion(completion), waits: false) }
    }
    subscription.begin()
  }
}

/// A signal of a source.
internal enum MarbleSignal<Output, Failure: Error> {
  case value(Output)
  case completion(Subscribers.Completion<Failure>)
}

/// A subscription to a ``MarbleSource``.
internal final class MarbleSubscription<Output, Failure: Error>: Subscription {
  private var subscriber: AnySubscriber<Output, Failure>?
  private let name: String
  private let timeline: MarbleTimeline
  private var demand = Subscribers.Demand.none
  private var waiting: [Output] = []
  private var completion: Subscribers.Completion<Failure>?
  private var isDelivering = true

  init(_ subscriber: AnySubscriber<Output, Failure>, _ name: String, _ timeline: MarbleTimeline) {
    self.subscriber = subscriber
    self.name = name
    self.timeline = timeline
  }

  var isOver: Bool { subscriber == nil }

  /// Introduces the subscription, and delivers the signals that wait already.
  func begin() {
    subscriber?.receive(subscription: self)
    isDelivering = false
    deliver()
  }

  /// - Parameter waits: Whether a value that is not requested is kept.
  /// - Returns: Whether it was taken.
  @discardableResult
  func send(_ signal: MarbleSignal<Output, Failure>, waits: Bool) -> Bool {
    switch signal {
    case .value(let value):
      guard waits || demand > Subscribers.Demand.max(waiting.count) else { return false }
      waiting.append(value)
    case .completion(let end): completion = end
    }
    deliver()
    return true
  }

  func request(_ demand: Subscribers.Demand) {
    guard timeline.thread.isHere(name), !isOver else { return }
    add(demand)
    deliver()
  }

  func cancel() {
    guard timeline.thread.isHere(name), !isOver else { return }
    subscriber = nil
    waiting = []
    timeline.note(.cancelled, of: name)
  }

  private func add(_ more: Subscribers.Demand) {
    // Demand beyond unlimited demand says nothing.
    if demand != .unlimited { timeline.note(.requested(more), of: name) }
    demand += more
  }

  /// A loop instead of a recursion: a request inside a delivery only adds to the demand.
  private func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    while demand > 0, !waiting.isEmpty, let subscriber {
      demand -= 1
      let more = subscriber.receive(waiting.removeFirst())
      if more > 0 { add(more) }
    }
    isDelivering = false
    guard waiting.isEmpty, let completion, let subscriber else { return }
    self.subscriber = nil
    subscriber.receive(completion: completion)
  }
}
