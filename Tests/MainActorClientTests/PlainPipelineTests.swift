// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockTesting
import Testing

/// Combine's operators in a module whose code belongs to the main actor unless it says otherwise.
///
/// Nothing here says `@MainActor`, and every closure has the check of that actor.
@Suite struct PlainPipelineTests {
  @Test func `A model with published state is written as in Combine`() {
    let form = Form()
    var valid: [Bool] = []
    var changes = 0
    form.$isValid.removeDuplicates().sink { valid.append($0) }.store(in: &form.cancellables)
    form.objectWillChange.sink { changes += 1 }.store(in: &form.cancellables)
    form.name = "Ada"
    form.age = 36
    form.name = ""
    #expect(valid == [false, true, false])
    #expect(changes > 0)
  }

  @Test func `A hop to the main queue stands upstream of the first closure`() async {
    let screen = Screen()
    await sendElsewhere(3, through: screen.show)
    #expect(screen.lines == ["3 m"])
  }

  @Test func `Closures that are marked, and nonisolated functions, stand upstream of the hop`() async {
    let screen = Screen()
    await sendElsewhere(3, through: screen.showDoubled)
    #expect(screen.lines == ["7 m"])
  }

  /// Sends a value on another thread, and returns when it is shown.
  private func sendElsewhere(_ level: Int, through show: (PassthroughSubject<Int, Never>, @escaping () -> Void) -> Void)
    async
  {
    let levels = PassthroughSubject<Int, Never>()
    await withCheckedContinuation { continuation in
      show(levels) { continuation.resume() }
      Task.detached { levels.send(level) }
    }
  }

  @Test func `Timed operators run in virtual time on the main actor`() {
    let time = VirtualTimeScheduler()
    let words = PassthroughSubject<String, Never>()
    var searched: [String] = []
    let cancellable = words.debounce(for: .milliseconds(300), scheduler: time).sink { searched.append($0) }
    words.send("wat")
    time.advance(by: 0.1)
    words.send("water")
    time.advance(by: 0.3)
    #expect(searched == ["water"])
    cancellable.cancel()
  }

  @Test func `A publisher and a subscriber of the module's own are nonisolated`() {
    let collecting = Collecting()
    Countdown(from: 3).map { $0 * 10 }.subscribe(collecting)
    #expect(collecting.values == [30, 20, 10])
    #expect(collecting.hasEnded)
  }

  @Test func `A loop over values runs on the main actor`() async {
    let screen = Screen()
    for await level in (1...3).publisher.map({ $0 + 1 }).values { screen.lines.append("\(level)") }
    #expect(screen.lines == ["2", "3", "4"])
  }

  @Test func `The value of a future arrives on the main actor`() async {
    let screen = Screen()
    let future = Future<Int, Never> { promise in Task.detached { promise(.success(5)) } }
    screen.lines.append("\(await future.value)")
    #expect(screen.lines == ["5"])
  }
}

private final class Form: ObservableObject {
  @Published var name = ""
  @Published var age: Int?
  @Published private(set) var isValid = false
  var cancellables: Set<AnyCancellable> = []

  init() {
    $name.combineLatest($age) { name, age in !name.isEmpty && age != nil }.assign(to: &$isValid)
  }
}

private final class Screen {
  var lines: [String] = []
  private var cancellables: Set<AnyCancellable> = []

  func show(_ levels: PassthroughSubject<Int, Never>, _ shown: @escaping () -> Void) {
    levels
      .receive(on: DispatchQueue.main)
      .map { "\($0) m" }
      .sink { [weak self] in
        self?.lines.append($0)
        shown()
      }
      .store(in: &cancellables)
  }

  func showDoubled(_ levels: PassthroughSubject<Int, Never>, _ shown: @escaping () -> Void) {
    odd(levels.map { @Sendable in $0 * 2 })
      .receive(on: DispatchQueue.main)
      .map { "\($0) m" }
      .sink { [weak self] in
        self?.lines.append($0)
        shown()
      }
      .store(in: &cancellables)
  }
}

private nonisolated func odd(_ numbers: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  numbers.map { $0 + 1 }
}

private nonisolated struct Countdown: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let from: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    stride(from: from, to: 0, by: -1).publisher.subscribe(subscriber)
  }
}

private nonisolated final class Collecting: Subscriber {
  typealias Input = Int
  typealias Failure = Never

  private(set) var values: [Int] = []
  private(set) var hasEnded = false

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ input: Int) -> Subscribers.Demand {
    values.append(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { hasEnded = true }
}
