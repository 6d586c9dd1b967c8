// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockOperators
import PenstockTesting

/// A queue that runs its work whenever a publisher delivers.
final class SerialQueue: Scheduler {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  private var work: [() -> Void] = []
  private var runs: AnyCancellable?

  init(runBy signal: MarbleSource<String, MarbleFailure>) {
    runs = signal.sink(receiveCompletion: { _ in }, receiveValue: { [unowned self] _ in run() })
  }

  private func run() {
    let due = work
    work = []
    for action in due { action() }
  }

  var now: VirtualTime { .zero }
  var minimumTolerance: VirtualTime.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) { work.append(action) }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    work.append(action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    work.append(action)
    return AnyCancellable {}
  }
}

/// A stream of text that sends each line to a subject.
struct Lines: TextOutputStream {
  private let subject: PassthroughSubject<String, Never>

  init(of subject: PassthroughSubject<String, Never>) { self.subject = subject }

  func write(_ text: String) {
    for line in text.split(separator: "\n") { subject.send(String(line)) }
  }
}

extension MarbleBench {
  /// A connectable publisher that is connected when the line “connect” delivers.
  func connecting<P: ConnectablePublisher>(_ publisher: P) -> AnyPublisher<P.Output, P.Failure> {
    let connections = Connections()
    connections.signal = source("connect").sink(
      receiveCompletion: { _ in }, receiveValue: { _ in connections.all.append(publisher.connect()) })
    // The publisher lives as long as its subscribers, and so do its connections.
    return publisher.handleEvents(receiveOutput: { _ in withExtendedLifetime(connections) {} }).eraseToAnyPublisher()
  }
}

private final class Connections {
  var signal: AnyCancellable?
  var all: [any Cancellable] = []
}

extension Publisher {
  /// The names of the checkpoints that a failure has passed as part of its own name.
  func named() -> some Publisher<Output, MarbleFailure> where Failure == CheckpointFailure<MarbleFailure> {
    mapError { MarbleFailure("\($0.underlying.name), at \($0.checkpoints.map(\.name).joined(separator: ", "))") }
  }
}

extension CompositeFailure<MarbleFailure> {
  /// The names of all failures.
  var named: String { failures.map(\.name).joined(separator: ", ") }
}
