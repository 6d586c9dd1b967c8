// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher with everything that its subscribers need, without its types.
internal struct MarbleOutput {
  /// Schedules what a subscriber does.
  let schedule: (_ subscriber: String, MarbleDiagram, MarbleTimeline) -> Void
  /// Cancels the subscribers.
  let cancel: () -> Void
  /// The symbol of a value that is received, if the value is the one that a symbol stands for.
  let canonical: (String) -> String

  init<P: Publisher>(_ publisher: P, values: MarbleValues<P.Output>) {
    canonical = values.canonical
    let box = SubscriberBox<P.Output, P.Failure>()
    schedule = { name, diagram, timeline in
      let demand = diagram.lane(.demand(subscriber: name))
      let subscriber = MarbleSubscriber<P.Output, P.Failure>(
        name: MarbleDiagram.expectedName(of: name), timeline: timeline,
        isDemandWritten: demand?.marks.contains { $0.event.demand != nil } ?? false,
        symbol: values.symbol)
      box.subscribers.append(subscriber)
      let script = diagram.script(of: name)
      for action in script.beforeSubscription { action.perform(subscriber) }
      timeline.schedule(at: script.start) { publisher.subscribe(subscriber) }
      for action in script.actions {
        timeline.schedule(at: action.step) { action.perform(subscriber) }
      }
    }
    cancel = {
      for subscriber in box.subscribers { subscriber.cancel(after: 0) }
      box.subscribers = []
    }
  }

  private init(canonical: @escaping (String) -> String) {
    schedule = { _, _, _ in }
    cancel = {}
    self.canonical = canonical
  }

  /// The same output without the publisher.
  var ended: Self { Self(canonical: canonical) }

  private final class SubscriberBox<Output, Failure: Error> {
    var subscribers: [MarbleSubscriber<Output, Failure>] = []
  }
}

/// The actions of a subscriber, by their steps.
internal struct MarbleScript {
  struct Action {
    var step: Int
    var kind: Kind

    enum Kind {
      case request(Subscribers.Demand)
      case cancel(afterValues: Int)
    }

    func perform(_ subscriber: MarbleSubscriber<some Any, some Error>) {
      switch kind {
      case .request(let demand): subscriber.request(demand)
      case .cancel(let count): subscriber.cancel(after: count)
      }
    }
  }

  /// The step of the subscription.
  var start = 0
  /// The requests in the step of the subscription, which are made as soon as the subscription arrives.
  var beforeSubscription: [Action] = []
  var actions: [Action] = []
}

extension MarbleDiagram {
  internal static func expectedName(of subscriber: String) -> String {
    subscriber.isEmpty ? "expected" : "expected.\(subscriber)"
  }

  /// The names of all subscribers, in the order of their lines; one without a name if there are no lines.
  internal var subscribers: [String] {
    var names: [String] = []
    for lane in lanes {
      switch lane.role {
      case .demand(let name), .expected(let name): if !names.contains(name) { names.append(name) }
      case .source, .requests: break
      }
    }
    return names.isEmpty ? [""] : names
  }

  /// Returns the actions of a subscriber, from its two lines.
  internal func script(of subscriber: String) -> MarbleScript {
    let lanes = [lane(.demand(subscriber: subscriber)), lane(.expected(subscriber: subscriber))].compactMap { $0 }
    var script = MarbleScript()
    script.start = lanes.flatMap(\.marks).first { $0.event == .subscribed }?.step ?? 0
    for lane in lanes {
      var (step, values) = (-1, 0)
      for mark in lane.marks {
        if mark.step != step { (step, values) = (mark.step, 0) }
        switch mark.event {
        case .value: values += 1
        case .requested(let demand):
          let action = MarbleScript.Action(step: mark.step, kind: .request(demand))
          if mark.step <= script.start {
            script.beforeSubscription.append(action)
          } else {
            script.actions.append(action)
          }
        case .cancelled:
          script.actions.append(MarbleScript.Action(step: mark.step, kind: .cancel(afterValues: values)))
        case .finished, .failed, .subscribed: break
        }
      }
    }
    return script
  }
}
