// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators
import Synchronization

private struct Nowhere: TextOutputStream {
  func write(_ string: String) {}
}

/// Counts down to zero once.
private final class Countdown: Sendable {
  private let left: Atomic<Int>

  init(_ count: Int) { left = Atomic(count) }

  /// Whether this call has reached zero.
  func step() -> Bool { left.subtract(1, ordering: .relaxed).newValue == 0 }
}

extension OperatorRow {
  static let debugging: [OperatorRow] = [
    .init("print", [], .transparent, swift: "{0}\n.print(to: nowhere)") { $0[0].print("", to: Nowhere()) },
    .init("breakpoint", [], .transparent, swift: "{0}\n.breakpoint(receiveOutput: { _ in false })") {
      $0[0].breakpoint(receiveOutput: { _ in false })
    },
    .init("erased", [], .transparent, swift: "{0}\n.eraseToAnyPublisher()") { $0[0].eraseToAnyPublisher() },
    .init(
      "handleEvents, nth value", [.count(1...9), .act], .transparent,
      swift: "{0}\n.handleEvents(receiveOutput: { if number of value == #0 { !1 } })"
    ) { b in
      let countdown = Countdown(b.numbers[0])
      let act = b.world.closure(b.act(1))
      return b[0].handleEvents(receiveOutput: { _ in if countdown.step() { act() } })
    },
    .init(
      "handleEvents, subscription", [.act], .transparent,
      swift: "{0}\n.handleEvents(receiveSubscription: { _ in !0 })"
    ) { b in
      let countdown = Countdown(1)
      let act = b.world.closure(b.act(0))
      return b[0].handleEvents(receiveSubscription: { _ in if countdown.step() { act() } })
    },
    .init(
      "breakpoint, subscription", [.act], .transparent,
      swift: "{0}\n.breakpoint(receiveSubscription: { _ in !0; return false })"
    ) { b in
      let countdown = Countdown(1)
      let act = b.world.closure(b.act(0))
      return b[0].breakpoint(receiveSubscription: { _ in
        if countdown.step() { act() }
        return false
      })
    },
    .init(
      "handleEvents, end", [.act], .transparent,
      swift: "{0}\n.handleEvents(receiveCompletion: { _ in !0 }, receiveCancel: { !0 })"
    ) { b in
      let countdown = Countdown(1)
      let act = b.world.closure(b.act(0))
      return b[0].handleEvents(
        receiveCompletion: { _ in if countdown.step() { act() } }, receiveCancel: { if countdown.step() { act() } })
    },
    .init("handleEvents, request", [.act], .transparent, swift: "{0}\n.handleEvents(receiveRequest: { _ in once: !0 })")
    { b in
      let countdown = Countdown(1)
      let act = b.world.closure(b.act(0))
      return b[0].handleEvents(receiveRequest: { _ in if countdown.step() { act() } })
    },
  ]

  static let sharing: [OperatorRow] = [
    .init("share", [], .faithful, swift: "{0}\n.share()") { $0[0].share() },
    .init("multicast, autoconnect", [], .faithful, swift: "{0}\n.multicast { PassthroughSubject() }.autoconnect()") {
      $0[0].multicast { PassthroughSubject<Item, Fault>() }.autoconnect()
    },
    .init("shareReplay", [.count(0...4)], .faithful, swift: "{0}\n.shareReplay(capacity: #0)") {
      $0[0].shareReplay(capacity: max(1, $0.numbers[0]))
    },
    .init("share(replay:)", [.count(0...4)], .faithful, swift: "{0}\n.share(replay: #0)") {
      $0[0].share(replay: max(1, $0.numbers[0]))
    },
    .init("share(buffering:)", [.count(1...4)], [.ordered, .late], swift: "{0}\n.share(buffering: .bounded(#0))") {
      $0[0].share(buffering: .bounded(max(1, $0.numbers[0])))
    },
    .init("share(buffering:), unbounded", [], .faithful, swift: "{0}\n.share(buffering: .unbounded)") {
      $0[0].share(buffering: .unbounded)
    },
    .init("share(buffering:), newest", [.count(0...4)], .ordered, swift: "{0}\n.share(buffering: .newest(#0))") {
      $0[0].share(buffering: .newest($0.numbers[0]))
    },
    .init("share(buffering:), oldest", [.count(0...4)], .ordered, swift: "{0}\n.share(buffering: .oldest(#0))") {
      $0[0].share(buffering: .oldest($0.numbers[0]))
    },
    .init("share(keepingFor:)", [.lane], .faithful, swift: "{0}\n.share(keepingFor: .milliseconds(1), scheduler: @0)") {
      $0[0].share(keepingFor: .milliseconds(1), scheduler: $0.lane(0))
    },
    .init(
      "share(replay:keepingFor:)", [.lane, .count(0...4)], .faithful,
      swift: "{0}\n.share(replay: #1, keepingFor: .milliseconds(1), scheduler: @0)"
    ) {
      $0[0].share(replay: $0.numbers[1], keepingFor: .milliseconds(1), scheduler: $0.lane(0))
    },
    .init(
      "autoconnect(atLeast:)", [], .faithful,
      swift: "{0}\n.multicast { PassthroughSubject() }.autoconnect(atLeast: 1)"
    ) {
      $0[0].multicast { PassthroughSubject<Item, Fault>() }.autoconnect(atLeast: 1)
    },
    .init(
      "multicast(in:)", [.count(1...4)], [.ordered, .late],
      swift: "{0}\n.multicast(buffering: .bounded(#0)) { $0.merge(with: $0.filter { _ in false }) }"
    ) {
      $0[0].multicast(buffering: .bounded(max(1, $0.numbers[0]))) { $0.merge(with: $0.filter { _ in false }) }
        .eraseToAnyPublisher()
    },
  ]
}
