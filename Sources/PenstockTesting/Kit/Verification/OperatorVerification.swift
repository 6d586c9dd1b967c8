// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A verification of an operator against the rules of operators, those that it owes downstream as a publisher, and
/// those that it owes upstream as a subscriber.
///
/// Say how to apply it to the upstream that the kit gives it.
///
/// ```swift
/// let verification = OperatorVerification("evens") { upstream in
///   upstream.filter { $0.isMultiple(of: 2) }
/// }
/// try verification.checkAll()
/// print(verification.report().failures.count)
/// // Prints "0"
/// ```
///
/// Special properties of an operator, such as a prefetch, are declared by ``traits(_:)``; further forms of the operator
/// unlock further rules: ``throwing(_:)``, ``objects(_:)`` and ``children(max:_:)``.
///
/// **Concurrency:** as for ``PublisherVerification``.
public struct OperatorVerification: Verification {
  /// The name of the operator, in reports.
  public let name: String

  /// The waivers.
  public var waivers: [Rule: String] = [:]

  /// The allowances.
  public var allowances: [Rule: String] = [:]

  /// Whether the checks run in the process itself.
  public var runsInProcess = false

  var subject: OperatorUnderTest

  /// The failure that verifications use.
  public typealias Failure = VerificationError

  /// Creates a verification of an operator, applied to numbers.
  public init<P: Publisher>(
    _ name: String, _ apply: @escaping @Sendable (VerificationUpstream<Int, VerificationError>) -> P
  ) {
    self.init(named: name, input: { $0 }, failure: VerificationError.failed) { Driven(apply($0)) }
  }

  /// Creates a verification of an operator that has to be driven, such as by moving virtual time.
  public init<P: Publisher>(
    _ name: String, _ apply: @escaping @Sendable (VerificationUpstream<Int, VerificationError>) -> Driven<P>
  ) {
    self.init(named: name, input: { $0 }, failure: VerificationError.failed, apply)
  }

  /// Creates a verification of an operator that works on a scheduler, with a scheduler of the kit.
  ///
  /// ```swift
  /// let verification = OperatorVerification("delay") { upstream, scheduler in
  ///   upstream.delay(for: 1, scheduler: scheduler)
  /// }
  /// try verification.checkAll()
  /// ```
  ///
  /// It unlocks the rules of time: that everything comes on the scheduler and in order, and that no work is left there.
  ///
  /// - Parameters:
  ///   - name: The name of the operator, in reports.
  ///   - use: What the operator uses its scheduler for.
  ///   - time: How much time passes at once: more than the operator takes to deliver. It passes after each step of a
  ///     check, and again while anything comes of it, up to a hundred times; if nothing comes, it still adds up over
  ///     the steps. So a timeout that must not run out has to be far longer than this, not just longer. A million
  ///     seconds cost nothing, since the time is virtual: `timeout(1_000_000, scheduler: scheduler)`.
  ///   - apply: Applies the operator; called for each run of each check.
  public init<P: Publisher>(
    _ name: String, on use: SchedulerUse = .deliveries, passing time: VirtualTime.Stride = .seconds(3),
    _ apply: @escaping @Sendable (VerificationUpstream<Int, VerificationError>, VerificationScheduler) -> P
  ) {
    let erased = { (source: VerificationUpstream<Int, VerificationError>.Source) in
      let upstream = VerificationUpstream(source: source, input: { $0 }, failure: VerificationError.failed)
      return ErasedPublisher(passing: time) { apply(upstream, $0) }
    }
    self.name = name
    subject = OperatorUnderTest(byHand: { erased(.byHand($0)) }, cold: { erased(.cold($0, fails: $1)) })
    subject.use = use
  }

  /// Creates a verification of an operator, applied to any values.
  ///
  /// - Parameters:
  ///   - name: The name of the operator, in reports.
  ///   - input: Makes a value from its number.
  ///   - failure: The failure of upstream; `nil` if it cannot fail.
  ///   - apply: Applies the operator; called for each run of each check.
  public init<Input, UpstreamFailure: Error, P: Publisher>(
    _ name: String, input: @escaping @Sendable (Int) -> Input, failure: UpstreamFailure?,
    _ apply: @escaping @Sendable (VerificationUpstream<Input, UpstreamFailure>) -> Driven<P>
  ) {
    self.init(named: name, input: input, failure: failure, apply)
  }

  private init<Input, UpstreamFailure: Error, P: Publisher>(
    named name: String, input: @escaping (Int) -> Input, failure: UpstreamFailure?,
    _ apply: @escaping (VerificationUpstream<Input, UpstreamFailure>) -> Driven<P>
  ) {
    self.name = name
    subject = OperatorUnderTest(
      byHand: { ErasedPublisher(apply(VerificationUpstream(source: .byHand($0), input: input, failure: failure))) },
      cold: {
        ErasedPublisher(apply(VerificationUpstream(source: .cold($0, fails: $1), input: input, failure: failure)))
      })
    if failure == nil { subject.traits.insert(.catchesFailure) }
  }

  /// Creates a verification of an operator on streams that cannot fail.
  public init<P: Publisher>(
    ofNever name: String, _ apply: @escaping @Sendable (VerificationUpstream<Int, Never>) -> P
  ) {
    self.init(named: name, input: { $0 }, failure: Never?.none) { Driven(apply($0)) }
  }

  /// Returns a verification of an operator with special properties.
  public func traits(_ traits: OperatorTrait...) -> Self {
    var copy = self
    copy.subject.traits.formUnion(traits)
    return copy
  }

  /// Returns a verification that also uses the operator with a closure that throws, and that calls `check` first.
  public func throwing<P: Publisher>(
    _ apply:
      @escaping @Sendable (
        VerificationUpstream<Int, VerificationError>, _ check: @escaping @Sendable (Int) throws -> Void
      ) -> P
  ) -> Self {
    var copy = self
    copy.subject.throwing = { control in
      let upstream = VerificationUpstream<Int, VerificationError>(
        source: .byHand(control), input: { $0 }, failure: .failed)
      return ErasedPublisher(Driven(apply(upstream) { if $0 == 1 { throw VerificationError.thrown } }))
    }
    return copy
  }

  /// Returns a verification that also uses the operator with a closure of the kit, which notices whether it is called
  /// under a lock.
  ///
  /// ```swift
  /// let verification = OperatorVerification("map") { $0.map { $0 } }.calling { upstream, call in
  ///   upstream.map { number in
  ///     call()
  ///     return number
  ///   }
  /// }
  /// try verification.check("C-05")
  /// ```
  ///
  /// - Parameter apply: Applies the operator with a closure that calls `call` for each value.
  public func calling<P: Publisher>(
    _ apply:
      @escaping @Sendable (
        VerificationUpstream<Int, VerificationError>, _ call: @escaping @Sendable () -> Void
      ) -> P
  ) -> Self {
    var copy = self
    copy.subject.calling = { control, call in
      ErasedPublisher(
        Driven(apply(VerificationUpstream(source: .byHand(control), input: { $0 }, failure: .failed), call)))
    }
    return copy
  }

  /// Returns a verification that also uses the operator with values that are objects, so that their release can be
  /// seen.
  public func objects<P: Publisher>(
    _ apply: @escaping @Sendable (VerificationUpstream<VerificationObject, VerificationError>) -> P
  ) -> Self {
    var copy = self
    copy.subject.objects = { control, onMake, onEnd in
      ErasedPublisher(
        Driven(
          apply(
            VerificationUpstream(
              source: .byHand(control),
              input: { number in
                let object = VerificationObject(number, onEnd: onEnd)
                onMake(object)
                return object
              }, failure: .failed))))
    }
    return copy
  }

  /// Returns a verification that also uses the operator with streams of streams, up to a maximum number at a time.
  public func children<P: Publisher>(
    max limit: Int,
    _ apply:
      @escaping @Sendable (
        VerificationUpstream<VerificationUpstream<Int, VerificationError>, VerificationError>
      ) -> P
  ) -> Self {
    var copy = self
    copy.subject.children = (
      limit,
      { control, children in
        ErasedPublisher(
          Driven(
            apply(
              VerificationUpstream(
                source: .byHand(control),
                input: { _ in
                  let child = UpstreamControl()
                  children.with { $0.append(child) }
                  child.log?.count(.innerStreams)
                  return VerificationUpstream(source: .byHand(child), input: { $0 }, failure: .failed)
                }, failure: .failed))))
      }
    )
    return copy
  }

  /// The rules that are checked.
  public static var rules: [Rule] { OperatorUnderTest.rules }

  /// The rules that are checked.
  public var rules: [Rule] { Self.rules }

  /// Runs one rule.
  public func examination(of rule: Rule) -> Examination? {
    subject.examination(of: rule, inProcess: runsInProcess)
  }
}
