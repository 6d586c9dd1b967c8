// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// `share(buffering:)` compared with a model of a few lines, in random courses of events.
@Suite struct ShareBufferedModelTests {
  enum Step {
    case subscribe(demand: Int)
    case request(subscriber: Int, Int)
    case cancel(subscriber: Int)
    case send
    case end(fails: Bool)
  }

  /// A model of the operator without threads, callbacks or anything shared: a queue for each subscriber.
  private struct Model {
    struct Member {
      var queue: [Int] = []
      var demand = 0
      var isOpen = true
      var events: [Event<Int, TestError>] = []
    }

    let policy: ShareBufferingPolicy
    var members: [Member] = []
    var calls: [String] = []
    var isConnected = false
    var isWanted = false
    var ending: Subscribers.Completion<TestError>?
    /// How many values upstream has sent in this connection.
    var sent = 0
    /// How many values it has been asked for.
    var asked = 0

    var maySend: Bool { isConnected && sent < asked }

    mutating func take(_ step: Step) {
      switch step {
      case .subscribe(let demand): subscribe(demand)
      case .request(let index, let count):
        guard members[index].isOpen else { return }
        members[index].demand += count
        isWanted = true
        drain(index)
      case .cancel(let index):
        guard members[index].isOpen else { return }
        members[index].isOpen = false
        guard ending == nil, !members.contains(where: \.isOpen) else { break }
        isConnected = false
        calls.append("cancel")
      case .send: send()
      case .end(let fails):
        ending = fails ? .failure(.oops) : .finished
        isConnected = false
        for index in members.indices { drain(index) }
      }
      ask()
    }

    mutating func subscribe(_ demand: Int) {
      guard ending == nil else {
        members.append(Member(isOpen: false, events: [.subscription("Empty"), .completion(ending!)]))
        return
      }
      if !isConnected {
        (isConnected, isWanted, sent, asked) = (true, false, 0, 0)
        calls.append("subscribe")
      }
      if demand > 0 { isWanted = true }
      members.append(Member(demand: demand, events: [.subscription("ShareBuffered")]))
    }

    mutating func send() {
      sent += 1
      let value = calls.filter { $0 == "subscribe" }.count * 1_000 + sent
      for index in members.indices where members[index].isOpen {
        let room: Int
        switch policy {
        case .bounded, .unbounded: room = .max
        case .oldest(let limit):
          room = limit + members[index].demand
          if members[index].queue.count >= room { continue }
        case .newest(let limit): room = limit
        }
        members[index].queue.append(value)
        drain(index)
        if members[index].queue.count > room, case .newest = policy { members[index].queue.removeFirst() }
      }
    }

    mutating func drain(_ index: Int) {
      guard members[index].isOpen else { return }
      while members[index].demand > 0, !members[index].queue.isEmpty {
        members[index].demand -= 1
        members[index].events.append(.value(members[index].queue.removeFirst()))
      }
      if let ending, members[index].queue.isEmpty {
        members[index].isOpen = false
        members[index].events.append(.completion(ending))
      }
    }

    mutating func ask() {
      guard isConnected, isWanted else { return }
      guard case .bounded(let bound) = policy else {
        if asked == 0 { calls.append("request unlimited") }
        asked = .max
        return
      }
      let target = sent - (members.filter(\.isOpen).map(\.queue.count).max() ?? 0) + bound
      guard target - asked >= (bound + 1) / 2 || (target > asked && sent == asked) else { return }
      calls.append("request max(\(target - asked))")
      asked = target
    }
  }

  /// An upstream that writes down what it is asked for.
  private final class Source: Publisher {
    typealias Output = Int
    typealias Failure = TestError

    var calls: [String] = []
    var downstream: AnySubscriber<Int, TestError>?
    var sent = 0

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      calls.append("subscribe")
      sent = 0
      downstream = AnySubscriber(subscriber)
      let subscription = ManualSubscription()
      subscription.onRequest = { [unowned self] in calls.append("request \($0)") }
      subscription.onCancel = { [unowned self] in calls.append("cancel") }
      subscriber.receive(subscription: subscription)
    }

    func send() {
      sent += 1
      _ = downstream?.receive(calls.filter { $0 == "subscribe" }.count * 1_000 + sent)
    }
  }

  private func check(_ policy: ShareBufferingPolicy, seed: UInt64) -> String? {
    var random = SeededGenerator(seed: seed)
    var model = Model(policy: policy)
    let source = Source()
    let shared = source.share(buffering: policy)
    var recorders: [Recorder<Int, TestError>] = []
    defer { for recorder in recorders { recorder.releaseSubscriptions() } }
    var course: [Step] = []
    for _ in 0..<40 {
      let step: Step
      let index = Int.random(in: 0..<max(1, recorders.count), using: &random)
      switch Int.random(in: 0..<40, using: &random) {
      case 0..<5: step = .subscribe(demand: Int.random(in: 0...3, using: &random))
      case 5..<8 where !recorders.isEmpty: step = .cancel(subscriber: index)
      case 8..<18 where !recorders.isEmpty: step = .request(subscriber: index, Int.random(in: 1...4, using: &random))
      case 18..<39 where model.maySend: step = .send
      case 39 where model.isConnected && course.count > 20: step = .end(fails: Bool.random(using: &random))
      default: continue
      }
      course.append(step)
      model.take(step)
      switch step {
      case .subscribe(let demand):
        recorders.append(Recorder(demand: demand == 0 ? nil : .max(demand)))
        shared.subscribe(recorders[recorders.count - 1])
      case .request(let index, let count): recorders[index].request(.max(count))
      case .cancel(let index): recorders[index].cancel()
      case .send: source.send()
      case .end(let fails): source.downstream?.receive(completion: fails ? .failure(.oops) : .finished)
      }
      if source.calls != model.calls { return "\(course): \(source.calls) for \(model.calls)" }
      for (recorder, member) in zip(recorders, model.members) where recorder.events != member.events {
        return "\(course): \(recorder.events) for \(member.events)"
      }
    }
    return recorders.flatMap(\.complaints).first
  }

  @Test(arguments: [
    ShareBufferingPolicy.bounded(1), .bounded(2), .bounded(3), .bounded(8), .newest(0), .newest(1), .newest(3),
    .oldest(0), .oldest(1), .oldest(3), .unbounded,
  ])
  func `Random courses of forty events go as in the model`(_ policy: ShareBufferingPolicy) {
    for seed in 0..<500 {
      if let difference = check(policy, seed: UInt64(seed)) {
        Issue.record("seed \(seed): \(difference)")
        return
      }
    }
  }
}
