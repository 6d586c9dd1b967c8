// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `@unchecked`: the author's closures are `@Sendable`. What wraps them is not, to the compiler, because the type of a publisher
// that is known as `some Publisher` could belong to an actor.

/// A subject under test, without its types.
struct SubjectSpecimen {
  let subscribe: (Probe) -> Void
  let send: (Int) -> Void
  let end: (_ fails: Bool) -> Void
}

/// A subject under test, and what its author says of it.
struct SubjectSubject: @unchecked Sendable {
  var make: () -> SubjectSpecimen
  /// How many of the latest values a subscriber gets that comes later.
  var replay = 0
  /// Whether it gets them after the end as well.
  var replaysAfterEnd = false
  /// Whether a failure can be sent.
  var mayFail = true
  /// Whether the subject can end.
  var mayEnd = true

  /// The subject as a publisher: when it is settled for the second time, after the subscription and a request, everything
  /// is sent.
  var publisher: PublisherSubject {
    let (make, mayEnd) = (make, mayEnd)
    var subject = PublisherSubject()
    subject.traits = [.hot, .shared]
    subject.finite = { count in
      let specimen = make()
      let calls = Locked(0)
      return Specimen(
        subscribe: { probe, _ in specimen.subscribe(probe) },
        settle: {
          let call = calls.with { calls in
            calls += 1
            return calls
          }
          guard call == 2 else { return }
          for number in 0..<Swift.min(count, 50) { specimen.send(number + 1) }
          if mayEnd { specimen.end(false) }
        })
    }
    return subject
  }

  static let rules: [Rule] = Rule.all.filter {
    own[$0] != nil || PublisherSubject.rules.contains($0)
  }.filter {
    ![.identityPerSubscription, .freesSource, .saysFailure].contains($0) && TimeChecks.ofPublishers[$0] == nil
  }

  private static let own: [Rule: Check<Self>] = SubjectChecks.all
    .merging(SanitizerChecks.ofSubjects) { first, _ in first }

  func outcome(of rule: Rule, inProcess: Bool) -> Outcome? {
    guard Self.rules.contains(rule) else { return nil }
    if let check = Self.own[rule] { return Execution.run(.init(isInProcess: inProcess)) { try check(self) } }
    return publisher.outcome(of: rule, inProcess: inProcess)
  }
}
