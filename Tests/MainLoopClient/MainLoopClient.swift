// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockOperatorsFoundation

/// A small app: a main thread that runs its run loop, and a model of the main actor that another thread feeds.
///
/// It is a process of its own, since no test controls the main thread. `MainLoopTests` starts it with the name of a
/// hop; its status is 0 if the value has arrived after the hop.
@main struct MainLoopClient {
  @MainActor static func main() {
    let model = Model()
    model.bind(by: CommandLine.arguments[1])
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 60))
    exit(1)
  }
}

@MainActor private final class Model {
  private var count = 0
  private var cancellables: Set<AnyCancellable> = []

  func bind(by hop: String) {
    let input = PassthroughSubject<Int, Never>()
    switch hop {
    case "none": input.sink { self.show($0) }.store(in: &cancellables)
    case "queue": input.receive(on: DispatchQueue.main).sink { self.show($0) }.store(in: &cancellables)
    case "loop": input.receive(on: RunLoop.main).sink { self.show($0) }.store(in: &cancellables)
    case "operations": input.receive(on: OperationQueue.main).sink { self.show($0) }.store(in: &cancellables)
    case "any queue":
      input.receive(on: AnySchedulerOf<DispatchQueue>.main).sink { self.show($0) }.store(in: &cancellables)
    case "any loop":
      input.receive(on: AnySchedulerOf<RunLoop>.main).sink { self.show($0) }.store(in: &cancellables)
    case "any operations":
      input.receive(on: AnySchedulerOf<OperationQueue>.main).sink { self.show($0) }.store(in: &cancellables)
    case "delay":
      input.delay(for: .milliseconds(1), scheduler: DispatchQueue.main).sink { self.show($0) }
        .store(in: &cancellables)
    case "debounce":
      input.debounce(for: .milliseconds(1), scheduler: RunLoop.main).sink { self.show($0) }.store(in: &cancellables)
    case "timer":
      Timer.publish(every: 0.001, on: .main, in: .common).autoconnect().map { _ in 1 }.sink { self.show($0) }
        .store(in: &cancellables)
    default: exit(2)
    }
    Thread.detachNewThread { @Sendable in input.send(1) }
  }

  private func show(_ value: Int) {
    count += value
    exit(count == 1 ? 0 : 3)
  }
}
