// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The plan of a subscriber: what it requests and when, and when it cancels.
struct StepPlan: Sendable {
  /// When it receives the subscription.
  var first: Amount
  /// For one value after the other, over and over.
  var replies: [Amount]
  /// Whether it calls `request` in a delivery, instead of returning the demand.
  var asksInside: Bool
  var requests: [(time: Int, amount: Amount)]
  var cancel: Cancel

  enum Cancel: Equatable {
    case never
    case at(Int)
    /// In the delivery of a value.
    case after(Int)
  }

  /// Requests everything at once.
  static let unlimited = StepPlan(first: .unlimited, replies: [.none], asksInside: false, requests: [], cancel: .never)

  static func random(_ random: inout Randomness) -> StepPlan {
    if random.chance(10) { return .unlimited }
    var plan = StepPlan(
      first: random.weighted([(2, .none), (4, Amount(1)), (3, Amount(2)), (2, Amount(4)), (1, .unlimited)]),
      replies: (0..<random.number(1...3)).map { _ in
        random.weighted([(4, .none), (4, Amount(1)), (1, Amount(2)), (random.chance(10) ? 1 : 0, .unlimited)])
      },
      asksInside: random.chance(30), requests: [], cancel: .never)
    var time = 0
    for _ in 0..<random.number(0...4) {
      time += random.number(1...8)
      plan.requests.append(
        (time * 1_000 + 25, random.weighted([(6, Amount(1)), (3, Amount(2)), (2, Amount(3)), (1, .unlimited)])))
    }
    switch random.number(0...5) {
    case 0: plan.cancel = .at(random.number(0...20) * 1_000 + 27)
    case 1: plan.cancel = .after(random.number(1...4))
    default: break
    }
    return plan
  }

  func reply(to number: Int) -> Amount { replies[(number - 1) % replies.count] }

  /// Plans that do less.
  var smaller: [StepPlan] {
    var plans: [StepPlan] = []
    func add(_ change: (inout StepPlan) -> Void) {
      var plan = self
      change(&plan)
      plans.append(plan)
    }
    if cancel != .never { add { $0.cancel = .never } }
    for place in requests.indices { add { $0.requests.remove(at: place) } }
    if asksInside { add { $0.asksInside = false } }
    if replies.count > 1 { for place in replies.indices { add { $0.replies.remove(at: place) } } }
    for place in replies.indices where replies[place] > .none {
      add { $0.replies[place] = replies[place] > Amount(1) ? Amount(1) : .none }
    }
    if first > .none { add { $0.first = first > Amount(2) ? Amount(2) : Amount(first.count - 1) } }
    for place in requests.indices where requests[place].amount > Amount(1) {
      add { $0.requests[place].amount = Amount(1) }
    }
    return plans
  }
}
