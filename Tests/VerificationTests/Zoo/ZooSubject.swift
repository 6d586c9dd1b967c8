// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

/// The mistakes of subjects, each of which breaks one rule.
enum SubjectFault: String, CaseIterable, Sendable {
  case forgetsEnd, buffersAfterEnd, leavesGap, goesThroughLiveList, stopsAtTheSlow, overlaps, endsTwice, joinsInTwoSteps
  case keepsLate

  var rule: String {
    switch self {
    case .forgetsEnd: "J-01"
    case .buffersAfterEnd: "J-02"
    case .leavesGap: "J-03"
    case .goesThroughLiveList: "J-04"
    case .stopsAtTheSlow: "J-05"
    case .overlaps: "C-01"
    case .endsTwice: "C-04"
    case .joinsInTwoSteps: "C-06"
    case .keepsLate: "M-02"
    }
  }
}

/// A subject with a replay of three: a log, and subscribers that each have their own place in it.
final class ZooSubject: Subject, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = VerificationError

  fileprivate let lock = NSLock()
  fileprivate var log: [Int] = []
  fileprivate var completion: Subscribers.Completion<VerificationError>?
  fileprivate let fault: SubjectFault?
  private var members: [Member] = []
  private var isSending = 0
  private var ghost: [Int] = []
  private var ending = 0
  private var entered = 0
  private var joined = 0
  /// The subscribers that come after the end, in a list of their own that nobody empties.
  private var late: [Any] = []

  init(_ fault: SubjectFault?) { self.fault = fault }

  func send(_ value: Int) {
    // In the middle of a send, time for another thread, which subscribes.
    if fault == .joinsInTwoSteps {
      for _ in 0..<100 where lock.withLock({ log.count == 2 && joined == 1 }) { letOthersRun() }
    }
    let isOver = lock.withLock {
      if completion != nil { ghost.append(value) } else { log.append(value) }
      isSending += 1
      return completion != nil
    }
    if !isOver { wake() }
    lock.withLock { isSending -= 1 }
  }

  func send(completion: Subscribers.Completion<VerificationError>) {
    if fault == .endsTwice {
      guard lock.withLock({ self.completion == nil }) else { return }
      // Time for another thread.
      lock.withLock { ending += 1 }
      for _ in 0..<500 where lock.withLock({ ending < 2 }) { letOthersRun() }
      let all = lock.withLock {
        self.completion = completion
        return members.map { ($0, $0.downstream) }
      }
      lock.withLock { entered += 1 }
      for _ in 0..<500 where lock.withLock({ entered < 2 }) { letOthersRun() }
      for (member, downstream) in all where downstream != nil {
        downstream?.receive(completion: completion)
        lock.withLock { member.downstream = nil }
      }
      return
    }
    let isFirst = lock.withLock {
      guard self.completion == nil else { return false }
      self.completion = completion
      return true
    }
    if isFirst { wake() }
  }

  func send(subscription: any Subscription) { subscription.request(.unlimited) }

  private func wake() {
    if fault == .goesThroughLiveList {
      var place = 0
      while let member = lock.withLock({ place < members.count ? members[place] : nil }) {
        member.deliver()
        place += 1
      }
      // A subscriber that was skipped has missed the value; one that is being introduced, or to which a value is being
      // delivered, continues on its own.
      lock.withLock { for member in members where !member.isBusy { member.next = log.count } }
      return
    }
    for member in lock.withLock({ members }) {
      if fault == .stopsAtTheSlow, lock.withLock({ member.demand == .none }) { return }
      member.deliver()
    }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == VerificationError {
    let member = Member(self, AnySubscriber(subscriber))
    lock.withLock {
      joined += 1
      if fault == .keepsLate, completion != nil { late.append(subscriber) }
      if fault == .buffersAfterEnd { log += ghost }
      member.next = Swift.max(0, log.count - 3)
      if fault == .leavesGap, isSending > 0 { member.next = log.count }
      member.hidesEnd = fault == .forgetsEnd && completion != nil
      if fault != .joinsInTwoSteps { members.append(member) }
    }
    if fault == .joinsInTwoSteps {
      member.begin()
      // Time for another thread, which sends; on a busy machine, yielding is not enough.
      let seen = lock.withLock { log.count }
      for _ in 0..<500 where lock.withLock({ log.count == seen }) { letOthersRun() }
      lock.withLock {
        members.append(member)
        member.next = log.count
      }
      return
    }
    member.begin()
  }

  fileprivate func remove(_ member: Member) { lock.withLock { members.removeAll { $0 === member } } }
}

extension ZooSubject {
  fileprivate final class Member: Subscription, CustomStringConvertible {
    let subject: ZooSubject
    var downstream: AnySubscriber<Int, VerificationError>?
    var demand = Subscribers.Demand.none
    var next = 0
    var hidesEnd = false
    fileprivate var isBusy = true

    init(_ subject: ZooSubject, _ downstream: AnySubscriber<Int, VerificationError>) {
      (self.subject, self.downstream) = (subject, downstream)
    }

    var description: String { "ZooSubject" }

    func begin() {
      downstream?.receive(subscription: self)
      subject.lock.withLock { isBusy = false }
      deliver()
    }

    func request(_ demand: Subscribers.Demand) {
      subject.lock.withLock { self.demand += demand }
      deliver()
    }

    func cancel() {
      let old = subject.lock.withLock {
        defer { downstream = nil }
        return downstream
      }
      _ = old
      subject.remove(self)
    }

    func deliver() {
      let isFree = subject.lock.withLock {
        defer { isBusy = true }
        return !isBusy || subject.fault == .overlaps
      }
      guard isFree else { return }
      while true {
        let (value, end, downstream) = subject.lock.withLock {
          () -> (Int?, Subscribers.Completion<VerificationError>?, AnySubscriber<Int, VerificationError>?) in
          guard let downstream = self.downstream else {
            isBusy = false
            return (nil, nil, nil)
          }
          if demand > .none, next < subject.log.count {
            demand -= 1
            next += 1
            return (subject.log[next - 1], nil, downstream)
          }
          if next >= subject.log.count, let end = subject.completion, !hidesEnd {
            self.downstream = nil
            isBusy = false
            return (nil, end, downstream)
          }
          isBusy = false
          return (nil, nil, nil)
        }
        guard let downstream else { return }
        if let value {
          let more = downstream.receive(value)
          subject.lock.withLock { demand += more }
        } else if let end {
          subject.remove(self)
          return downstream.receive(completion: end)
        }
      }
    }
  }
}

/// Lets other threads run for a moment: on a busy machine, a yield returns at once.
func letOthersRun() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(20)) }
