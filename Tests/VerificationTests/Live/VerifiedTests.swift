// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Synchronization
import Testing

/// Gathers the violations that the handler of the process gets; each test that uses it runs in a process of its own.
private final class Findings: Sendable {
  private let list = Mutex<[StreamViolation]>([])
  var all: [StreamViolation] { list.withLock { $0 } }
  var ids: [String] { all.map(\.rule.id) }

  init() { StreamViolation.handle { [weak self] violation in self?.list.withLock { $0.append(violation) } } }
}

/// All calls between a publisher and a recording.
private func calls(_ publisher: AnyPublisher<Int, Never>, _ misbehavior: Misbehavior) -> [String] {
  let script: DemandScript = misbehavior == .ignoresCancel ? .unlimited.cancel(after: 1) : .max(2)
  let recording = publisher.record(demand: script, atEnd: [])
  recording.request(.max(1))
  return recording.trace.events.map(\.description)
}

/// A stream that is verified, and the line on which it is: lines are counted differently in a macro's argument.
private func watched() -> (recording: Recording<Int, Never>, line: UInt) {
  ((1...3).publisher.verified("numbers", isForced: true).record(demand: .max(3), atEnd: []), #line)
}

@Suite struct VerifiedTests {
  @Test(arguments: [
    Misbehavior.secondSubscription, .earlyValue, .overflows, .valueAfterCompletion, .ignoresCancel,
  ])
  func `It reports what upstream breaks, and passes it on`(_ misbehavior: Misbehavior) async {
    await #expect(processExitsWith: .success) { [raw = misbehavior.rawValue as String] in
      let misbehavior = Misbehavior(rawValue: raw)!
      let findings = Findings()
      let upstream = MisbehavingPublisher([1, 2, 3], misbehavior)
      let watched = calls(upstream.verified("zoo", isForced: true).eraseToAnyPublisher(), misbehavior)
      #expect(findings.ids.first == misbehavior.rule.id)
      #expect(findings.all.first?.side == .upstream)
      #expect(watched == calls(upstream.eraseToAnyPublisher(), misbehavior), "it changes nothing")
    }
  }

  @Test func `It says which side, and where it stands`() async {
    await #expect(processExitsWith: .success) {
      let findings = Findings()
      let (recording, line) = watched()
      recording.request(.max(1))
      #expect(findings.ids == ["R-04"])
      let finding = findings.all[0]
      #expect(finding.side == .downstream)
      #expect(finding.line == line)
      #expect("\(finding.file)".hasSuffix("VerifiedTests.swift"))
      #expect(finding.description.hasPrefix("numbers: R-04"))
      #expect(finding.description.contains("◀ a request after the completion"))
      recording.cancel()
    }
  }

  @Test func `A stream that keeps the rules is not reported`() async {
    await #expect(processExitsWith: .success) {
      let findings = Findings()
      var sum = 0
      let sink = (1...100).publisher.verified(isForced: true).filter { $0.isMultiple(of: 2) }.collect(3)
        .verified(isForced: true).sink { sum += $0.reduce(0, +) }
      let subject = CurrentValueSubject<Int, Never>(0)
      let prefix = subject.verified(isForced: true).prefix(2).sink { _ in }
      for number in 1...3 { subject.send(number) }
      #expect(sum == 2550)
      #expect(findings.ids.isEmpty)
      withExtendedLifetime((sink, prefix)) {}
    }
  }

  @Test func `Without a handler the process fails at its end, with file and line`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recording = MisbehavingPublisher([1, 2], .overflows).verified("feed", isForced: true)
        .record(demand: .max(1), atEnd: [])
      withExtendedLifetime(recording) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("VerifiedTests.swift:"))
    #expect(text.contains("error: feed: P-03"))
  }

  @Test func `The subscription below is shown as the one above`() {
    let recording = Just(1).verified(isForced: true).record(atEnd: [])
    #expect(recording.trace.events.first?.description == Just(1).record(atEnd: []).trace.events.first?.description)
  }
}
