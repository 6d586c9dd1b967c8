// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockConcurrency
import PenstockInspector
import PenstockKit
import PenstockOperatorsFoundation
import PenstockTesting
import Testing

// A client sees only these; this module is of the package, and would see the engine's of the same names, too.
private typealias Outputs = PenstockKit.Outputs
private typealias QueuedDemand = PenstockKit.QueuedDemand
private typealias SequentialStep = PenstockKit.SequentialStep
private typealias SteeredDemand = PenstockKit.SteeredDemand
private typealias Verdict = PenstockKit.Verdict

/// The public types that are Sendable, as the compiler sees them from a client in Swift 6 mode.
///
/// No type may become Sendable by inference, as frozen structures and errors do, and none may lose the conformance.
@Suite struct SendableCensusTests {
  @Test func `Types that are Sendable whatever they hold`() {
    var census = Census()
    census.note(AnyCancellable.self)
    census.note(CombineIdentifier.self)
    census.note(Subscribers.self)
    census.note(Subscribers.Completion<Problem>.self)
    census.note(Subscribers.Demand.self)
    census.note(Subscriptions.self)
    census.note(Publishers.self)
    census.note(Publishers.PrefetchStrategy.self)
    census.note(Publishers.Valve.self)
    census.note(Publishers.ValveStrategy.self)
    census.note(Empty<Int, Never>.self, Empty<Local, Never>.self)
    census.note(Fail<Int, Problem>.self, Fail<Local, Problem>.self)
    census.note(ObservableObjectPublisher.self)
    census.note(ImmediateScheduler.self)
    census.note(ImmediateScheduler.SchedulerTimeType.self)
    census.note(ImmediateScheduler.SchedulerTimeType.Stride.self)
    census.note(DispatchQueue.SchedulerOptions.self)
    census.note(DispatchQueue.SchedulerTimeType.self)
    census.note(DispatchQueue.SchedulerTimeType.Stride.self)
    census.note(OperationQueue.SchedulerOptions.self)
    census.note(OperationQueue.SchedulerTimeType.self)
    census.note(OperationQueue.SchedulerTimeType.Stride.self)
    census.note(RunLoop.SchedulerOptions.self)
    census.note(RunLoop.SchedulerTimeType.self)
    census.note(RunLoop.SchedulerTimeType.Stride.self)
    census.note(URLSession.DataTaskPublisher.self)
    census.note(RetryPolicy.self)
    census.note(ShareBufferingPolicy.self)
    census.note(Checkpoint.self)
    census.note(CheckpointFailure<Problem>.self)
    census.note(CompositeFailure<Problem>.self)
    census.note(CircuitBreakerFailure<Problem>.self)
    census.note(CircuitBreaker<Clock>.State.self, CircuitBreaker<LocalScheduler>.State.self)
    census.note(ObjectOwnership.self)
    census.note(PrefixWhileBehavior.self)
    census.note(GroupingError.self)
    census.note(Publishers.GroupBufferingStrategy.self)
    census.note(ActivityTracker.self)
    census.note(Lifetime.self)
    census.note(SingleValueError.self)
    census.note(AnyScheduler<VirtualTime, Never>.self, AnyScheduler<VirtualTime, Local>.self)
    census.note(AsyncBufferingPolicy.self)
    census.note(CreditCounts.self)
    census.note(DeliveryCounts.self)
    census.note(DeliveryDisposition.self)
    census.note(DeliveryError.self)
    census.note(DeliveryError.Reason.self)
    census.note(DeliveryQueue<Int>.self)
    census.note(FetchedMessages<Int, Never>.self)
    census.note(QueuedDelivery<Int>.self)
    census.note(StreamCounts.self)
    census.note(StreamMessage<Int>.self)
    census.note(StreamSubscriber<Int, Never, DeliveryError>.self)
    census.note(ExtendedDelivery<QueuedDelivery<Int>>.self)
    census.note(DispatchTimerConfiguration.self)
    census.note(VirtualTime.self)
    census.note(VirtualTime.Stride.self)
    census.note(VirtualTimeBudgetExceeded.self)
    census.note(VirtualTimeScheduler<VirtualTime, Never>.self, VirtualTimeScheduler<VirtualTime, Local>.self)
    census.note(VirtualClock.self)
    census.note(VirtualClock.Instant.self)
    census.note(VirtualTimeExecutor.self)
    census.note(ImmediateClock.self)
    census.note(UnimplementedClock.self)
    census.note(VirtualTimeWaitEnded.self)
    census.note(VirtualTimeWaitEnded.Reason.self)
    census.note(LabeledScheduler<VirtualTime, Never>.self, LabeledScheduler<VirtualTime, Local>.self)
    census.note(MarbleAppearance.self)
    census.note(MarbleDiagram.self)
    census.note(MarbleEvent.self)
    census.note(MarbleFailure.self)
    census.note(MarbleLane.self)
    census.note(MarbleLane.Mark.self)
    census.note(MarbleMismatch.self)
    census.note(MarbleSyntaxError.self)
    census.note(MarbleUsageError.self)
    census.note(ClockStride.self)
    census.note(ClockTime<ContinuousClock>.self)
    census.note(TaskScheduler<ContinuousClock>.self)
    census.note(LoopScheduler<ContinuousClock>.self)
    census.note(TrampolineScheduler<ContinuousClock>.self)
    census.note(SendablePublisher<Just<Int>>.self)
    census.note(SendablePublisher<Just<Int>>.BufferingStrategy.self)
    census.note(SendablePublisher<Just<Int>>.Plain.self)
    census.note(QueuedDemand.self)
    census.note(SteeredDemand.self)
    census.note(Inspector.self)
    census.note(Inspector.Endpoint.self)
    census.note(Inspector.Endpoint.Options.self)
    census.note(Inspector.Endpoint.Request.self)
    census.note(Inspector.Endpoint.Response.self)
    census.note(Inspector.Snapshot.self)
    census.note(Inspector.Stream.self)
    census.note(Inspector.Culprit.self)
    census.note(Inspector.Culprit.Reason.self)
    census.note(Inspector.Link.self)
    census.note(Inspector.Link.Phase.self)
    census.note(Inspector.Link.Label.self)
    census.note(Inspector.Link.Upstream.self)
    census.note(Inspector.Link.Drops.self)
    census.note(Inspector.Link.Drops.Reason.self)
    census.note(Inspector.Counts.self)
    census.note(Inspector.Counts.Signal.self)
    census.note(Inspector.Counts.Signal.Kind.self)
    census.note(Inspector.Counting.self)
    census.note(Inspector.Alarm.self)
    census.note(Inspector.Alarm.Kind.self)
    census.note(Inspector.AlarmLimits.self)
    census.note(Inspector.Recording.self)
    census.note(Inspector.Recording.Signal.self)
    census.note(Inspector.Recording.Signal.Kind.self)
    census.note(Inspector.NotRecorded.self)
    census.expect(.always, of: 112)
  }

  @Test func `Sources and state that are Sendable if their values are`() {
    var census = Census()
    census.note(Just<Int>.self, Just<Local>.self)
    census.note(Future<Int, Problem>.self, Future<Local, Problem>.self)
    census.note(Optional<Int>.Publisher.self, Optional<Local>.Publisher.self)
    census.note(Result<Int, Problem>.Publisher.self, Result<Local, Problem>.Publisher.self)
    census.note(Record<Int, Problem>.self, Record<Local, Problem>.self)
    census.note(Record<Int, Problem>.Recording.self, Record<Local, Problem>.Recording.self)
    census.note(Publishers.Sequence<[Int], Never>.self, Publishers.Sequence<[Local], Never>.self)
    census.note(PassthroughSubject<Int, Problem>.self, PassthroughSubject<Local, Problem>.self)
    census.note(CurrentValueSubject<Int, Problem>.self, CurrentValueSubject<Local, Problem>.self)
    census.note(Published<Int>.self, Published<Local>.self)
    census.note(Published<Int>.Publisher.self, Published<Local>.Publisher.self)
    census.note(AsyncPublisher<Good>.self, AsyncPublisher<Bad>.self)
    census.note(AsyncThrowingPublisher<Good>.self, AsyncThrowingPublisher<Bad>.self)
    census.note(AsyncBufferedPublisher<Good>.self, AsyncBufferedPublisher<Bad>.self)
    census.note(Publishers.TimeGroupingStrategy<Clock>.self, Publishers.TimeGroupingStrategy<LocalScheduler>.self)
    census.note(SchedulerCall<VirtualTime, Int>.self, SchedulerCall<VirtualTime, Local>.self)
    census.note(RecordingScheduler<Clock>.self, RecordingScheduler<LocalScheduler>.self)
    census.note(Subscribers.Event<Int, Problem>.self, Subscribers.Event<Local, Problem>.self)
    census.note(RetryDecision<Int>.self, RetryDecision<Local>.self)
    census.note(CircuitBreaker<Clock>.self, CircuitBreaker<LocalScheduler>.self)
    census.note(InstantScheduler<VirtualTime, Never>.self, InstantScheduler<LocalTime, Never>.self)
    census.note(UnimplementedScheduler<VirtualTime, Never>.self, UnimplementedScheduler<LocalTime, Never>.self)
    census.note(Publishers.Emitter<Int, Problem>.self, Publishers.Emitter<Local, Problem>.self)
    census.note(Callback<Int, Problem>.self, Callback<Local, Problem>.self)
    census.note(Verdict<Int, Problem>.self, Verdict<Local, Problem>.self)
    census.note(ScheduledVerdict<Int, Int>.self, ScheduledVerdict<Local, Int>.self)
    census.note(ReplaySubject<Int, Problem>.self, ReplaySubject<Local, Problem>.self)
    census.note(AsyncSubject<Int, Problem>.self, AsyncSubject<Local, Problem>.self)
    census.note(PassthroughRelay<Int>.self, PassthroughRelay<Local>.self)
    census.note(CurrentValueRelay<Int>.self, CurrentValueRelay<Local>.self)
    census.note(ReplayRelay<Int>.self, ReplayRelay<Local>.self)
    census.note(DidSetPublished<Int>.self, DidSetPublished<Local>.self)
    census.note(DidSetPublished<Int>.Publisher.self, DidSetPublished<Local>.Publisher.self)
    census.expect(.conditionally, of: 33)
  }

  @Test func `Operators that are Sendable if their upstreams are`() {
    var census = Census()
    census.note(Publishers.AssertNoFailure<Good>.self, Publishers.AssertNoFailure<Bad>.self)
    census.note(Publishers.Collect<Good>.self, Publishers.Collect<Bad>.self)
    census.note(Publishers.CollectByCount<Good>.self, Publishers.CollectByCount<Bad>.self)
    census.note(Publishers.CombineLatest<Good, Good>.self, Publishers.CombineLatest<Good, Bad>.self)
    census.note(Publishers.CombineLatest3<Good, Good, Good>.self, Publishers.CombineLatest3<Good, Good, Bad>.self)
    census.note(
      Publishers.CombineLatest4<Good, Good, Good, Good>.self, Publishers.CombineLatest4<Good, Good, Good, Bad>.self)
    census.note(Publishers.Concatenate<Good, Good>.self, Publishers.Concatenate<Bad, Bad>.self)
    census.note(Publishers.Contains<Good>.self, Publishers.Contains<Bad>.self)
    census.note(Publishers.Count<Good>.self, Publishers.Count<Bad>.self)
    census.note(
      Publishers.Decode<Just<Data>, Local, JSONDecoder>.self, Publishers.Decode<Hidden, Local, JSONDecoder>.self)
    census.note(Publishers.Encode<Good, JSONEncoder>.self, Publishers.Encode<Bad, JSONEncoder>.self)
    census.note(Publishers.Drop<Good>.self, Publishers.Drop<Bad>.self)
    census.note(Publishers.DropUntilOutput<Good, Good>.self, Publishers.DropUntilOutput<Good, Bad>.self)
    census.note(Publishers.First<Good>.self, Publishers.First<Bad>.self)
    census.note(Publishers.IgnoreOutput<Good>.self, Publishers.IgnoreOutput<Bad>.self)
    census.note(Publishers.Last<Good>.self, Publishers.Last<Bad>.self)
    census.note(Publishers.Merge<Good, Good>.self, Publishers.Merge<Bad, Bad>.self)
    census.note(Publishers.Merge3<Good, Good, Good>.self, Publishers.Merge3<Bad, Bad, Bad>.self)
    census.note(Publishers.Merge4<Good, Good, Good, Good>.self, Publishers.Merge4<Bad, Bad, Bad, Bad>.self)
    census.note(Publishers.Merge5<Good, Good, Good, Good, Good>.self, Publishers.Merge5<Bad, Bad, Bad, Bad, Bad>.self)
    census.note(
      Publishers.Merge6<Good, Good, Good, Good, Good, Good>.self, Publishers.Merge6<Bad, Bad, Bad, Bad, Bad, Bad>.self)
    census.note(
      Publishers.Merge7<Good, Good, Good, Good, Good, Good, Good>.self,
      Publishers.Merge7<Bad, Bad, Bad, Bad, Bad, Bad, Bad>.self)
    census.note(
      Publishers.Merge8<Good, Good, Good, Good, Good, Good, Good, Good>.self,
      Publishers.Merge8<Bad, Bad, Bad, Bad, Bad, Bad, Bad, Bad>.self)
    census.note(Publishers.MergeMany<Good>.self, Publishers.MergeMany<Bad>.self)
    census.note(Publishers.Output<Good>.self, Publishers.Output<Bad>.self)
    census.note(Publishers.PrefixUntilOutput<Good, Good>.self, Publishers.PrefixUntilOutput<Good, Bad>.self)
    census.note(Publishers.ReplaceEmpty<Good>.self, Publishers.ReplaceEmpty<Bad>.self)
    census.note(Publishers.ReplaceError<Good>.self, Publishers.ReplaceError<Bad>.self)
    census.note(Publishers.Retry<Good>.self, Publishers.Retry<Bad>.self)
    census.note(Publishers.SetFailureType<Good, Problem>.self, Publishers.SetFailureType<Bad, Problem>.self)
    census.note(
      Publishers.SwitchToLatest<Good, Just<Good>>.self, Publishers.SwitchToLatest<Bad, Just<Bad>>.self)
    census.note(Publishers.Zip<Good, Good>.self, Publishers.Zip<Good, Bad>.self)
    census.note(Publishers.Zip3<Good, Good, Good>.self, Publishers.Zip3<Good, Good, Bad>.self)
    census.note(Publishers.Zip4<Good, Good, Good, Good>.self, Publishers.Zip4<Good, Good, Good, Bad>.self)
    census.expect(.conditionally, of: 34)
  }

  @Test func `Timed operators that are Sendable if upstream and scheduler are`() {
    var census = Census()
    census.note(Publishers.CollectByTime<Good, Clock>.self, Publishers.CollectByTime<Good, LocalScheduler>.self)
    census.note(Publishers.Debounce<Good, Clock>.self, Publishers.Debounce<Good, LocalScheduler>.self)
    census.note(Publishers.Delay<Good, Clock>.self, Publishers.Delay<Good, LocalScheduler>.self)
    census.note(Publishers.MeasureInterval<Good, Clock>.self, Publishers.MeasureInterval<Good, LocalScheduler>.self)
    census.note(Publishers.ReceiveOn<Good, Clock>.self, Publishers.ReceiveOn<Good, LocalScheduler>.self)
    census.note(Publishers.SubscribeOn<Good, Clock>.self, Publishers.SubscribeOn<Good, LocalScheduler>.self)
    census.note(Publishers.Throttle<Good, Clock>.self, Publishers.Throttle<Good, LocalScheduler>.self)
    census.note(
      Publishers.ThrottleWhile<Good, Just<Bool>, Clock>.self,
      Publishers.ThrottleWhile<Good, Just<Bool>, LocalScheduler>.self)
    census.expect(.conditionally, of: 8)
  }

  @Test func `Sources and ends that are not Sendable`() {
    var census = Census()
    census.note(AnyPublisher<Int, Never>.self)
    census.note(AnySubscriber<Int, Never>.self)
    census.note(AsyncPublisher<Good>.Iterator.self)
    census.note(AsyncBufferedPublisher<Good>.Iterator.self)
    census.note(AsyncThrowingPublisher<Good>.Iterator.self)
    census.note(Deferred<Good>.self)
    census.note(NotificationCenter.Publisher.self)
    census.note(Timer.TimerPublisher.self)
    census.note(Publishers.DispatchTimer.self)
    census.note(Publishers.BufferingStrategy<Never>.self)
    census.note(Subscribers.Assign<Local, Int>.self)
    census.note(Subscribers.Sink<Int, Never>.self)
    census.note(Subscribers.PausableSink<Int, Never>.self)
    census.note(TimeLogger.self)
    census.note(MarbleBench<VirtualTime, Never>.self)
    census.note(MarbleFailures<Problem>.self)
    census.note(MarbleSource<Int, Never>.self)
    census.note(MarbleValues<Int>.self)
    census.note(Inspector.Discarded.self)
    census.note(Outputs<Int>.self)
    census.note(SequentialStep<Good, Problem>.self)
    census.expect(.never, of: 21)
  }

  /// Most of them hold closures that need not be `@Sendable`, because of Combine's signatures.
  @Test func `Operators that are not Sendable`() {
    var census = Census()
    census.note(Publishers.AllSatisfy<Good>.self)
    census.note(Publishers.Autoconnect<Connectable>.self)
    census.note(Publishers.Breakpoint<Good>.self)
    census.note(Publishers.Buffer<Good>.self)
    census.note(Publishers.Catch<Good, Good>.self)
    census.note(Publishers.CompactMap<Good, Int>.self)
    census.note(Publishers.Comparison<Good>.self)
    census.note(Publishers.ContainsWhere<Good>.self)
    census.note(Publishers.DelayedRetry<Good, Clock>.self)
    census.note(Publishers.DropWhile<Good>.self)
    census.note(Publishers.Filter<Good>.self)
    census.note(Publishers.FirstWhere<Good>.self)
    census.note(Publishers.FlatMap<Good, Good>.self)
    census.note(Publishers.HandleDiscarded<Good>.self)
    census.note(Publishers.HandleEvents<Good>.self)
    census.note(Publishers.Inspected<Good>.self)
    census.note(Publishers.LastWhere<Good>.self)
    census.note(Publishers.Lifted<Int, Problem>.self)
    census.note(Publishers.MakeConnectable<Good>.self)
    census.note(Publishers.Map<Good, Int>.self)
    census.note(Publishers.MapError<Good, Problem>.self)
    census.note(Publishers.MapKeyPath<Good, Int>.self)
    census.note(Publishers.MapKeyPath2<Good, Int, Int>.self)
    census.note(Publishers.MapKeyPath3<Good, Int, Int, Int>.self)
    census.note(Publishers.Multicast<Good, PassthroughSubject<Int, Never>>.self)
    census.note(Publishers.Observed<Int>.self)
    census.note(ObservedObject<Local>.self)
    census.note(Publishers.PrefixWhile<Good>.self)
    census.note(Publishers.Print<Good>.self)
    census.note(Publishers.Reduce<Good, Int>.self)
    census.note(Publishers.RemoveDuplicates<Good>.self)
    census.note(Publishers.Scan<Good, Int>.self)
    census.note(Publishers.Share<Good>.self)
    census.note(CurrentValuePublisher<Int, Problem>.self)
    census.note(Publishers.ShareBuffered<Good>.self)
    census.note(Publishers.ShareReplay<Good>.self)
    census.note(GroupedPublisher<Int, Int, Never>.self)
    census.note(Publishers.Timeout<Good, Clock>.self)
    census.note(Publishers.Transparent<Just<Int>, SameStage>.self)
    census.note(Publishers.TryAllSatisfy<Good>.self)
    census.note(Publishers.TryCatch<Good, Good>.self)
    census.note(Publishers.TryCompactMap<Good, Int>.self)
    census.note(Publishers.TryComparison<Good>.self)
    census.note(Publishers.TryContainsWhere<Good>.self)
    census.note(Publishers.TryDropWhile<Good>.self)
    census.note(Publishers.TryFilter<Good>.self)
    census.note(Publishers.TryFirstWhere<Good>.self)
    census.note(Publishers.TryLastWhere<Good>.self)
    census.note(Publishers.TryMap<Good, Int>.self)
    census.note(Publishers.TryPrefixWhile<Good>.self)
    census.note(Publishers.TryReduce<Good, Int>.self)
    census.note(Publishers.TryRemoveDuplicates<Good>.self)
    census.note(Publishers.TryScan<Good, Int>.self)
    census.expect(.never, of: 53)
  }

  @Test func `The types of doubles and verifications that are Sendable whatever they hold`() {
    var census = Census()
    census.note(DemandScript.self)
    census.note(EndChecks.self)
    census.note(LeakProbe.self)
    census.note(LeakProbe.Survivor.self)
    census.note(Ledger.self)
    census.note(Misbehavior.self)
    census.note(OperatorTrait.self)
    census.note(OperatorVerification.self)
    census.note(Outcome.self)
    census.note(Outcome.Finding.self)
    census.note(Outcome.Stop.self)
    census.note(Examination.self)
    census.note(Judgement.self)
    census.note(DemandVariation.self)
    census.note(PublisherTrait.self)
    census.note(PublisherVerification.self)
    census.note(Rule.self)
    census.note(Rule.Detection.self)
    census.note(Rule.Severity.self)
    census.note(StreamEvent.self)
    census.note(StreamEvent.Kind.self)
    census.note(StreamViolation.self)
    census.note(StreamViolation.Side.self)
    census.note(SchedulerUse.self)
    census.note(SubjectVerification.self)
    census.note(TestFailure.self)
    census.note(TestSubscription.self)
    census.note(Trace.self)
    census.note(VerificationError.self)
    census.note(VerificationObject.self)
    census.note(VerificationReport.self)
    census.note(VerificationResult.self)
    census.note(VerificationScheduler.self)
    census.note(Recording<Int, Problem>.self, Recording<Local, Problem>.self)
    census.note(SchedulerVerification<Clock>.self, SchedulerVerification<LocalScheduler>.self)
    census.note(
      SubscriberVerification<Subscribers.Sink<Int, Never>>.self,
      SubscriberVerification<Subscribers.Sink<Local, Never>>.self)
    census.note(TestPublisher<Int, Problem>.self, TestPublisher<Local, Problem>.self)
    census.expect(.always, of: 37)
  }

  @Test func `The types of doubles and verifications that are Sendable if what they hold is`() {
    var census = Census()
    census.note(Recording<Int, Problem>.Event.self, Recording<Local, Problem>.Event.self)
    census.note(Recording<Int, Problem>.Timed.self, Recording<Local, Problem>.Timed.self)
    census.note(Recording<Int, Problem>.Timed.Call.self, Recording<Local, Problem>.Timed.Call.self)
    census.note(VerifiedPublisher<Good>.self, VerifiedPublisher<Bad>.self)
    census.expect(.conditionally, of: 4)
  }

  @Test func `The types of doubles and verifications that are not Sendable`() {
    var census = Census()
    census.note(Driven<Good>.self)
    census.note(MisbehavingPublisher<Int, Problem>.self)
    census.note(VerificationUpstream<Int, Problem>.self)
    census.expect(.never, of: 3)
  }

  @Test func `The compiler tells a Sendable type from another`() {
    var census = Census()
    census.note(Int.self)
    census.note([Int].self, [Local].self)
    census.note(Local.self)
    #expect(census.answers.map(\.answer) == [.always, .conditionally, .never])
  }

  @Test func `Every public type of the libraries is in one of the lists above`() throws {
    // What is behind a trait, or needs an engine, is noted where it can be seen.
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let others = ["DeliveryTests", "PenstockNATSTests", "PenstockRedisTests"].map { "\($0)/SendableTests.swift" }
    let lists = ["SendableClientTests/SendableCensusTests.swift"] + others
    let text = try lists.map { try String(contentsOf: tests.appending(path: $0), encoding: .utf8) }.joined()
    let noted = Set(text.matches(of: /census\.note\(\s*([\w.<>, \[\]]+?)\.self/).map { pathWithoutArguments($0.1) })
    let declared = DeclaredTypes.ofTheLibraries()
    #expect(declared.count > 100)
    #expect(declared.subtracting(noted).sorted() == [], "say of each whether it is Sendable")
    #expect(noted.subtracting(declared).sorted() == ["Int", "Local", "[Int]"], "they are there no more")
  }

  /// A type's path without its generic arguments.
  private func pathWithoutArguments(_ text: Substring) -> String {
    var depth = 0
    return String(
      text.filter { character in
        if character == "<" { depth += 1 }
        defer { if character == ">" { depth -= 1 } }
        return depth == 0
      })
  }
}

// MARK: The tools for the lists

/// Asks the compiler, by its choice of an overload, whether types are Sendable.
private struct Census {
  enum Answer {
    /// With Sendable arguments and with others.
    case always
    /// Only with Sendable arguments.
    case conditionally
    /// Not even with Sendable arguments.
    case never
  }

  private(set) var answers: [(type: String, answer: Answer)] = []

  mutating func note<T>(_ type: T.Type) { answers.append(("\(type)", .never)) }
  mutating func note<T: Sendable>(_ type: T.Type) { answers.append(("\(type)", .always)) }
  mutating func note<T, U>(_ good: T.Type, _ bad: U.Type) { answers.append(("\(good)", .never)) }
  mutating func note<T: Sendable, U>(_ good: T.Type, _ bad: U.Type) { answers.append(("\(good)", .conditionally)) }
  mutating func note<T: Sendable, U: Sendable>(_ good: T.Type, _ bad: U.Type) { answers.append(("\(good)", .always)) }

  func expect(_ answer: Answer, of count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(answers.count == count, sourceLocation: sourceLocation)
    let others = answers.filter { $0.answer != answer }.map { "\($0.type) is \($0.answer)" }
    #expect(others == [], sourceLocation: sourceLocation)
  }
}

// MARK: Arguments for generic types

private typealias Good = Just<Int>
private typealias Bad = Just<Local>
private typealias Hidden = AnyPublisher<Data, Never>
private typealias Connectable = Publishers.MakeConnectable<Good>
private typealias Clock = ImmediateScheduler

private struct Problem: Error {}

/// Not Sendable.
private final class Local: Codable, Equatable, ObservableObject {
  static func == (left: Local, right: Local) -> Bool { left === right }
}

/// A time that is not Sendable.
private struct LocalTime: Strideable {
  let local = Local()
  static func == (left: Self, right: Self) -> Bool { true }
  func distance(to other: Self) -> ImmediateScheduler.SchedulerTimeType.Stride { 0 }
  func advanced(by n: ImmediateScheduler.SchedulerTimeType.Stride) -> Self { self }
}

/// A scheduler that is not Sendable.
private final class LocalScheduler: Scheduler {
  var now: ImmediateScheduler.SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: ImmediateScheduler.SchedulerTimeType.Stride { 0 }
  func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
  func schedule(
    after date: ImmediateScheduler.SchedulerTimeType, tolerance: ImmediateScheduler.SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) { action() }
  func schedule(
    after date: ImmediateScheduler.SchedulerTimeType, interval: ImmediateScheduler.SchedulerTimeType.Stride,
    tolerance: ImmediateScheduler.SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable { AnyCancellable {} }
}
