// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockOperators

  /// The part of a subscriber that adds values to a stream: `flatMap` controls the demand, with a future for each
  /// command.
  internal final class RedisWriter<Input, Failure: Error>: @unchecked Sendable {
    // `@unchecked`: the subscriber may be called on any thread, one call at a time, as the rules of subscribers say.

    internal typealias Ending = Result<Subscribers.Completion<Failure>, RedisError>

    /// The publisher of the values that the subscriber receives.
    private struct Relay: Publisher {
      typealias Output = Input

      let attach: (AnySubscriber<Input, Failure>) -> Void

      func receive<S: Subscriber>(subscriber: S) where S.Input == Input, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
      }
    }

    internal let subscriber: AnySubscriber<Input, Failure>
    /// The end of the stream; it is kept alive until something ends it, and not afterwards.
    internal let ending: Future<Ending, Never>
    private let finish: @Sendable (Result<Ending, Never>) -> Void
    private let cancellable: AnyCancellable

    internal init(
      maxInFlight: Int, _ send: @escaping (Input, _ completion: @escaping @Sendable (RedisLink.Reply) -> Void) -> Void
    ) {
      var (subscriber, finish) = (
        AnySubscriber<Input, Failure>?.none, (@Sendable (Result<Ending, Never>) -> Void)?.none
      )
      ending = Future { finish = $0 }
      // The failure of upstream is reported last, when the values before it are confirmed.
      var (end, promise) = (Subscribers.Completion<Failure>.finished, finish!)
      cancellable = Relay { subscriber = $0 }
        .catch { failure in
          end = .failure(failure)
          return Empty<Input, Never>()
        }
        .setFailureType(to: RedisError.self)
        .flatMap(maxPublishers: .max(maxInFlight)) { value in Future { promise in send(value, promise) } }
        .sink { completion in
          switch completion {
          case .finished: promise(.success(.success(end)))
          case .failure(let error): promise(.success(.failure(error)))
          }
        } receiveValue: { _ in
        }
      self.subscriber = subscriber!
      self.finish = promise
    }

    internal func cancel() {
      cancellable.cancel()
      finish(.success(.failure(RedisError(.cancelled, "The subscriber of the stream has been cancelled."))))
    }
  }
#endif
