// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What a search box suggests: it waits until the user has stopped typing, asks a service, and asks again after a
/// second if that fails.
final class Suggestions {
  let typed = PassthroughSubject<String, Never>()
  let shown = CurrentValueSubject<[String], Never>([])
  private var search: AnyCancellable?

  init<S: Scheduler>(
    scheduler: S, clock: any Clock<Duration> = ContinuousClock(), executor: (any TaskExecutor)? = nil,
    find: @escaping @Sendable (String) async throws -> [String]
  ) {
    search = Self.settled(typed, scheduler: scheduler)
      .map { text in
        Self.request(clock: clock, executor: executor) { try await find(text) }
          .retry(2)
          .replaceError(with: ["Nothing can be found at present"])
      }
      .switchToLatest()
      .sink { [shown] in shown.send($0) }
  }

  /// The texts that the user has typed and left alone, each once.
  static func settled<Text: Publisher<String, Never>, S: Scheduler>(
    _ text: Text, scheduler: S
  ) -> some Publisher<String, Never> {
    text.debounce(for: .milliseconds(300), scheduler: scheduler).removeDuplicates()
  }

  /// An attempt for each subscriber, whose failure comes a second later.
  private static func request(
    clock: any Clock<Duration>, executor: (any TaskExecutor)?, _ find: @escaping @Sendable () async throws -> [String]
  ) -> some Publisher<[String], any Error> {
    Deferred {
      Future { promise in
        Task(executorPreference: executor) {
          do {
            promise(.success(try await find()))
          } catch {
            try? await clock.sleep(for: .seconds(1))
            promise(.failure(error))
          }
        }
      }
    }
  }
}
