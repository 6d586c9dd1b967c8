// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockTesting
public import Testing

/// One operator, as a function from streams of numbers, and what the suites have to know about it.
///
/// Each operator has one line in the list of its family, and the lists of all suites are derived from these lines. With
/// its line, a new operator gets the tests of the whole contract.
///
/// The closure gets the values from 1 on, and delivers something for 2 and for 3. If the operator may drop values, it
/// drops a later one; if it may throw, its closure calls ``Upstream/check`` first.
public struct OperatorSpec: Sendable, CustomTestStringConvertible {
  public typealias Stream = AnyPublisher<Int, TestError>
  public typealias Clock = VirtualTimeScheduler<VirtualTime, Never>
  public typealias Check = (Int) throws -> Void

  /// The call, and what distinguishes the line from others with the same operator.
  public let name: String
  /// How the operator is seen from upstream and from downstream; `nil` if a separate suite tests that.
  public let shape: OperatorShape?
  /// How its subscriber and its subscription are shown.
  public let shown: Shown
  /// The descriptions of what is delivered for the inputs 2 and 3.
  public let outputs: [String]
  /// What it requests from upstream.
  public let requests: Requests
  /// The rules of the contract that are different for this operator.
  public let traits: Set<Trait>
  /// The reason why the output depends on the time of requests, and so is not compared; `nil` for an operator whose
  /// output does not depend on it.
  public let varies: String?

  private let makeStream: @Sendable (Stream, Clock) -> Stream
  private let makeTexts: @Sendable (Stream, @escaping Check) -> AnyPublisher<String, TestError>
  private let makePipeline: @Sendable (Bool, Subscribers.Demand?, @escaping Check) -> ManualPipeline

  public var testDescription: String { name }

  /// Any operator; a number is made of each of its outputs.
  public init<P: Publisher & SendableMetatype>(
    _ name: String, _ shape: OperatorShape? = nil, shown: String = "", children: [String]? = nil,
    outputs: [String] = ["2", "3"], requests: Requests = .whatIsRequested, traits: Set<Trait> = [],
    varies: String? = nil, number: @escaping @Sendable (P.Output) -> Int,
    _ build: @escaping @Sendable (Upstream<TestError>) -> P
  ) {
    self.init(
      name, shape, Shown(shown, children: children ?? shape?.children ?? []), outputs, requests, traits, varies, build,
      stream: { $0.map(number).mapError { $0 as? TestError ?? TestError("\($0)") }.eraseToAnyPublisher() })
  }

  /// An operator whose outputs are numbers.
  public init<P: Publisher<Int, TestError> & SendableMetatype>(
    _ name: String, _ shape: OperatorShape? = nil, shown: String = "", children: [String]? = nil,
    outputs: [String] = ["2", "3"], requests: Requests = .whatIsRequested, traits: Set<Trait> = [],
    varies: String? = nil, _ build: @escaping @Sendable (Upstream<TestError>) -> P
  ) {
    self.init(
      name, shape, Shown(shown, children: children ?? shape?.children ?? []), outputs, requests, traits, varies, build,
      stream: { $0.eraseToAnyPublisher() })
  }

  /// An operator whose outputs are numbers, and whose failure is any error.
  public init<P: Publisher<Int, any Error> & SendableMetatype>(
    _ name: String, _ shape: OperatorShape? = nil, shown: String = "", children: [String]? = nil,
    outputs: [String] = ["2", "3"], requests: Requests = .whatIsRequested, traits: Set<Trait> = [],
    varies: String? = nil, _ build: @escaping @Sendable (Upstream<TestError>) -> P
  ) {
    self.init(
      name, shape, Shown(shown, children: children ?? shape?.children ?? []), outputs, requests, traits, varies, build,
      stream: { $0.mapError { $0 as? TestError ?? TestError("\($0)") }.eraseToAnyPublisher() })
  }

  /// An operator of streams that cannot fail.
  public init<P: Publisher<Int, TestError> & SendableMetatype>(
    ofNever name: String, _ shape: OperatorShape, shown: String, _ build: @escaping @Sendable (Upstream<Never>) -> P
  ) {
    self.init(
      name, shape, Shown(shown), ["2", "3"], .whatIsRequested, [.forbidsFailure], nil, build,
      stream: { $0.eraseToAnyPublisher() })
  }

  private init<P: Publisher & SendableMetatype, Failure: Error>(
    _ name: String, _ shape: OperatorShape?, _ shown: Shown, _ outputs: [String], _ requests: Requests,
    _ traits: Set<Trait>,
    _ varies: String?, _ build: @escaping @Sendable (Upstream<Failure>) -> P,
    stream: @escaping @Sendable (P) -> Stream
  ) {
    self.name = name
    self.shape = shape
    self.shown = shown
    self.outputs = outputs
    self.requests = requests
    self.traits = traits
    self.varies = varies
    makeStream = { stream(build(Upstream($0, clock: $1))) }
    makeTexts = { upstream, check in
      build(Upstream(upstream, clock: VirtualTimeScheduler(), check: check)).map { String(describing: $0) }
        .mapError { $0 as? TestError ?? TestError("\($0)") }.eraseToAnyPublisher()
    }
    makePipeline = { ManualPipeline(subscribed: $0, demand: $1, check: $2, build) }
  }

  // MARK: What suites build of it

  /// Returns the operator applied to a stream, as a stream of numbers.
  public func apply(_ stream: Stream, clock: Clock = VirtualTimeScheduler()) -> Stream { makeStream(stream, clock) }

  /// The operator between a publisher driven by hand and a recorder, which has unlimited demand by default.
  ///
  /// - Parameters:
  ///   - subscribed: Whether upstream's subscription is delivered from the start.
  ///   - check: Called by a closure that may throw.
  public func pipeline(
    subscribed: Bool = true, demand: Subscribers.Demand? = .unlimited, check: @escaping Check = { _ in }
  ) -> ManualPipeline {
    makePipeline(subscribed, demand, check)
  }

  /// Returns the operator applied to a stream, as a stream of its outputs' descriptions.
  ///
  /// The step that describes them has no subscription of its own: downstream sees the operator's.
  public func texts(of stream: Stream, check: @escaping Check = { _ in }) -> AnyPublisher<String, TestError> {
    makeTexts(stream, check)
  }
}

// MARK: Facts

extension OperatorSpec {
  /// What an operator requests from upstream.
  public enum Requests: Sendable {
    /// What downstream requests.
    case whatIsRequested
    /// More than downstream requests.
    case more
    /// One value at a time, while downstream's demand is not met.
    case oneByOne
  }

  /// A difference from the contract of all operators.
  public enum Trait: Sendable {
    /// Its closure or its coder may throw.
    case throwing
    /// Upstream must not fail.
    case forbidsFailure
    /// A failure drops values that wait for demand.
    case losesValuesWithFailure
    /// Subscribers share values that arrive while they have demand.
    case shares
    /// Keeps values and a completion without demand, so it takes no part in tests that leave some of them.
    case buffers
    /// Its other upstreams are slow under unlimited demand.
    case isLong
    /// Uses up demand for values that it drops, as Combine's does: an operator downstream that requests a few values may
    /// get none, and wait for ever.
    case usesUpDemand
    /// Its subscription releases the subscriber when the stream has ended, though it is not upstream's.
    case releasesSubscriber
  }

  public var isThrowing: Bool { traits.contains(.throwing) }

  /// Whether a subscription that is held after the end of the stream keeps the subscriber alive: an operator's
  /// subscription is the operator itself, and a source's releases the subscriber.
  public var keepsSubscriber: Bool {
    !isTransparent && !traits.contains(.shares) && !traits.contains(.releasesSubscriber)
  }

  public var mayFail: Bool { !traits.contains(.forbidsFailure) }
}

/// The upstream of an operator.
public struct Upstream<Failure: Error>: Publisher {
  public typealias Output = Int

  /// The clock of the test, for timed operators.
  public let clock: OperatorSpec.Clock
  /// Called by closures that may throw; throws where the test wants it.
  public let check: OperatorSpec.Check

  private let publisher: AnyPublisher<Int, Failure>
  private let onSubscriber: ((any Subscriber) -> Void)?

  /// An upstream that makes its subscriber known.
  init(
    _ publisher: some Publisher<Int, Failure>, check: @escaping OperatorSpec.Check,
    onSubscriber: @escaping (any Subscriber) -> Void
  ) {
    self.publisher = publisher.eraseToAnyPublisher()
    self.check = check
    self.onSubscriber = onSubscriber
    clock = VirtualTimeScheduler()
  }

  /// A stream of numbers as an upstream; one that cannot fail traps if the stream does.
  init(_ stream: OperatorSpec.Stream, clock: OperatorSpec.Clock, check: @escaping OperatorSpec.Check = { _ in }) {
    publisher =
      stream as? AnyPublisher<Int, Failure>
      ?? stream.assertNoFailure().setFailureType(to: Failure.self).eraseToAnyPublisher()
    self.clock = clock
    self.check = check
    onSubscriber = nil
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    onSubscriber?(subscriber)
    publisher.receive(subscriber: subscriber)
  }
}
