// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The beginnings of the chains of Utilities/compile-hunt. Each chain gets a `World`, so the compiler knows nothing
// about its contents. This is a separate module, which is compiled once and not with every few chains.

import Foundation
import Penstock
import PenstockConcurrency
import PenstockKit
import PenstockOperators

public struct E: Error {
  public init() {}
}

public actor Worker {
  public init() {}

  public func take(_ weight: Int) {}
}

public final class Model: ObservableObject, @unchecked Sendable {
  @Published public var int = 0
  @Published public var string = ""
  @Published public var bool = false
  @Published public var ints: [Int] = []
  @Published public var optional: Int?

  public init() {}
}

public final class Label: @unchecked Sendable {
  public var int = 0
  public var string = ""
  public var bool = false
  public var ints: [Int] = []
  public var optional: Int?

  public init() {}
}

public final class World: @unchecked Sendable {
  public let ints = PassthroughSubject<Int, Never>()
  public let intsE = PassthroughSubject<Int, E>()
  public let intsError = PassthroughSubject<Int, any Error>()
  public let strings = PassthroughSubject<String, Never>()
  public let stringsE = PassthroughSubject<String, E>()
  public let bools = PassthroughSubject<Bool, Never>()
  public let current = CurrentValueSubject<Int, Never>(1)
  public let currentE = CurrentValueSubject<Int, E>(1)
  public let currentString = CurrentValueSubject<String, Never>("a")
  public let isOn = CurrentValueSubject<Bool, Never>(true)
  public let optionals = CurrentValueSubject<Int?, Never>(nil)
  public let lists = PassthroughSubject<[Int], Never>()
  public let model = Model()
  public let label = Label()
  public let worker = Worker()
  public let erased: AnyPublisher<Int, Never>
  public let erasedE: AnyPublisher<Int, E>
  public let future = Future<Int, Never> { $0(.success(1)) }
  public let futureE = Future<Int, E> { $0(.success(1)) }
  public let tracker = ActivityTracker()
  public let lifetime = Lifetime()
  public let relay = PassthroughRelay<Int>()
  public let currentRelay = CurrentValueRelay<Int>(1)
  public let replay = ReplaySubject<Int, E>(capacity: 2)
  public let last = AsyncSubject<Int, Never>()
  public let scheduler: AnySchedulerOf<DispatchQueue> = DispatchQueue.main.eraseToAnyScheduler()
  public let executor: any TaskExecutor
  public var cancellables: Set<AnyCancellable> = []
  public var kept: AnyCancellable?

  public init(executor: any TaskExecutor) {
    self.executor = executor
    erased = ints.eraseToAnyPublisher()
    erasedE = intsE.eraseToAnyPublisher()
  }
}

/// A delivery that reports nothing.
public struct Parcel: Delivery {
  public let payload: Int
  public init(payload: Int) { self.payload = payload }
  public var subject: String { "" }
  public var headers: [String: String] { [:] }
  public var attempt: Int { 1 }
  public var age: Duration { .zero }
  public var deadline: Duration? { nil }
  public func ack() async throws(DeliveryError) {}
  public func nak(after delay: Duration?) async throws(DeliveryError) {}
  public func extend() async throws(DeliveryError) {}
  public func terminate() async throws(DeliveryError) {}
}

// Stages that a user makes with the kit, one of each shape.

public struct EveryStage<Input>: TransparentStage {
  public init() {}
  public func receive(_ input: Input) -> Input? { input }
}

public final class SkippingStage<Input, Failure: Error>: ManagedStage {
  private var count = 0
  public init() {}
  public func receive(_ input: Input) -> Verdict<Input, Failure> {
    count += 1
    return count.isMultiple(of: 3) ? .skip : .emit(input)
  }
}

public final class TwiceStage<Input, Failure: Error>: QueuedStage {
  public init() {}
  public var demand: QueuedDemand { .whileUnmet }
  public func receive(_ input: Input, into outputs: inout Outputs<Input>) -> Verdict<Input, Failure> {
    outputs.append(input)
    return .emit(input)
  }
}

public struct GateStage<Input, Failure: Error, Signal>: SteeredStage {
  private var isOpen = false
  public init() {}
  public func receive(_ input: Input) -> Verdict<Input, Failure> { isOpen ? .emit(input) : .skip }
  public mutating func receive(signal: Signal) -> Verdict<Input, Failure> {
    isOpen.toggle()
    return .absorb
  }
}

public struct LateStage<Input, Failure: Error>: ScheduledStage {
  public init() {}
  public var scheduler: DispatchQueue { .main }
  public func receive(_ input: Input) -> ScheduledVerdict<Input, DispatchQueue.SchedulerTimeType.Stride> {
    .emitAfter(.milliseconds(1), input)
  }
}

public struct IdleStage<Input, Failure: Error>: TimedStage {
  private var last: Input?
  public private(set) var deadline: DispatchQueue.SchedulerTimeType?
  public init() {}
  public var scheduler: DispatchQueue { .main }
  public mutating func receive(_ input: Input) -> Verdict<Input, Failure> {
    last = input
    deadline = scheduler.now.advanced(by: .milliseconds(1))
    return .absorb
  }
  public mutating func receive(deadline: DispatchQueue.SchedulerTimeType) -> Verdict<Input, Failure> {
    self.deadline = nil
    return last.map { .emit($0) } ?? .skip
  }
}

public struct AgainRule<Upstream: Publisher>: SequentialRule {
  let upstream: Upstream
  public init(upstream: Upstream) { self.upstream = upstream }
  public func next(
    after completion: Subscribers.Completion<Upstream.Failure>, number: Int
  ) -> SequentialStep<Upstream, Upstream.Failure> {
    number < 3 ? .start(upstream) : .finish(completion)
  }
}
