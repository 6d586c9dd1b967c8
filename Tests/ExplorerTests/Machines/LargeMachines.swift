// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockOperators
import TestSupport
import Testing

extension Machine {
  /// Scripts with too many threads and calls for an exhaustive search, for random schedules.
  static let large: [Machine] = [
    Machine("a subject: two senders, one that comes and goes, one that cancels and completes") { exploration in
      let (subject, first, second) = (Subject(), exploration.recorder(), exploration.recorder())
      subject.subscribe(first)
      return Script([
        { (1...3).forEach(subject.send) },
        { (11...13).forEach(subject.send) },
        {
          for _ in 1...2 { subject.comeAndGo() }
          subject.subscribe(second)
        },
        {
          exploration.cancel(first)
          subject.send(completion: .finished)
        },
      ]) { first.broken("the first") + second.broken("the second") + expect(second.isFinished, "no completion") }
    },
    Machine("share(replay:): three come and go while another sends") { exploration in
      let source = CountedPublisher<Int, TestError>()
      let shared = source.share(replay: 2)
      let comeAndGo = {
        for _ in 1...2 { shared.comeAndGo() }
      }
      return Script([comeAndGo, comeAndGo, comeAndGo, { (1...3).forEach(source.subject.send) }]) {
        source.unbalanced
      }
    },
    Machine("append of three: ends in deliveries, requests of another thread") { exploration in
      let subjects = (0..<3).map { _ in Subject() }
      let recorder = exploration.recorder(demand: .max(2))
      let record = recorder.onValue!
      subjects[0].append(subjects[1]).append(subjects[2]).subscribe(recorder)
      recorder.onValue = { value in
        if value % 10 == 1, value < 21 { subjects[value / 10].send(completion: .finished) }
        return record(value)
      }
      return Script([
        { subjects[0].send(1) },
        { (11...12).forEach(subjects[1].send) },
        { (21...22).forEach(subjects[2].send) },
        { for _ in 1...2 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken() + expect(recorder.values == recorder.values.sorted(), "out of order: \(recorder.values)")
      }
    },
    Machine("merge, flatMap and buffer: three senders and a reader") { exploration in
      let (a, b, c, recorder) = (Subject(), Subject(), Subject(), exploration.recorder(demand: nil))
      a.flatMap { Just($0).setFailureType(to: TestError.self) }.merge(with: b, c)
        .buffer(size: 20, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
      return Script([
        { (1...2).forEach(a.send) },
        { (11...12).forEach(b.send) },
        { (21...22).forEach(c.send) },
        { for _ in 1...6 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken()
          + expect(recorder.values.sorted() == [1, 2, 11, 12, 21, 22], "\(recorder.values)")
      }
    },
    Machine("switchToLatest: switches, values and a cancel") { exploration in
      let (outer, recorder) = (PassthroughSubject<Subject, TestError>(), exploration.recorder())
      let inner = (0..<3).map { _ in Subject() }
      outer.switchToLatest().subscribe(recorder)
      return Script([
        { inner.forEach(outer.send) },
        { inner.forEach { $0.send(1) } },
        { inner.forEach { $0.send(completion: .finished) } },
        { exploration.cancel(recorder) },
      ]) { recorder.broken() }
    },
  ]
}

extension ExplorerTests {
  @Suite(.serialized) struct LargeMachineTests {
    private static let count =
      ProcessInfo.processInfo.environment["EXPLORER_LIMIT"].flatMap { Int($0) } ?? 1_000

    @Test(arguments: Machine.large)
    func `No random schedule breaks a rule`(_ machine: Machine) {
      let findings = sample(Self.count, depth: 4, machine.script)
      print("sampled \(machine): \(findings.schedules) schedules")
      #expect(findings.fault == nil, "\(findings)")
    }
  }
}
