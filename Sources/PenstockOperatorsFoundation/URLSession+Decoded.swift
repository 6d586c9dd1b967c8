// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch
public import Foundation
public import PenstockCore
public import PenstockDispatch
internal import PenstockFoundation
internal import PenstockOperators

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Loads a URL, decodes the response, and retries after a failure.
  ///
  /// See the method that takes a `URLRequest`.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for that method.
  ///
  /// - Parameters:
  ///   - url: The URL to load.
  ///   - retryCount: The maximum number of retries. A negative number traps.
  ///   - retryDelay: The delay after each failure.
  ///   - type: The type to decode.
  ///   - decoder: The decoder for the response.
  ///   - returnQueue: The queue that waits and delivers.
  /// - Returns: A publisher of one decoded value.
  public func decodedDataTaskPublisher<T: Decodable>(
    for url: URL, retryCount: Int = 3, retryDelay: DispatchQueue.SchedulerTimeType.Stride = 3,
    decodingResultAs type: T.Type, decoder: JSONDecoder = .init(), returnQueue: DispatchQueue = .main
  ) -> AnyPublisher<T, any Error> {
    decodedDataTaskPublisher(
      for: URLRequest(url: url), retryCount: retryCount, retryDelay: retryDelay, decodingResultAs: type,
      decoder: decoder, returnQueue: returnQueue)
  }

  /// Sends a request, decodes the response, and retries after a failure.
  ///
  /// <!-- not run: network -->
  /// ```swift
  /// struct Item: Decodable { let name: String }
  /// let request = URLRequest(url: URL(string: "https://example.org/items")!)
  /// let cancellable = URLSession.shared
  ///   .decodedDataTaskPublisher(for: request, decodingResultAs: [Item].self)
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0.map(\.name)) })
  /// // Prints "["gate", "pipe"]", "finished" on two lines for an answer with these two.
  /// ```
  ///
  /// The response is decoded whatever its status code: if the server sends an error as plain text, decoding fails, and
  /// the request is sent again.
  ///
  /// **Demand:** the request is sent at the first request for values, and delivers one value. The demand is passed to
  /// each further attempt.
  ///
  /// **Completion:** right after the value.
  ///
  /// **Failure:** the session's `URLError` or the decoder's error in the last attempt.
  ///
  /// **Concurrency:** decodes on the session's delegate queue; waits, retries and delivers on the return queue. A
  /// cancel cancels the task or the delay.
  ///
  /// Use `dataTaskPublisher(for:)` with `decode(type:decoder:)` and `retry(_:scheduler:when:)` for another order of
  /// these steps, or to look at the status code first.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - retryCount: The maximum number of retries. A negative number traps.
  ///   - retryDelay: The delay after each failure.
  ///   - type: The type to decode.
  ///   - decoder: The decoder for the response.
  ///   - returnQueue: The queue that waits and delivers.
  /// - Returns: A publisher of one decoded value.
  public func decodedDataTaskPublisher<T: Decodable>(
    for request: URLRequest, retryCount: Int = 3, retryDelay: DispatchQueue.SchedulerTimeType.Stride = 3,
    decodingResultAs type: T.Type, decoder: JSONDecoder = .init(), returnQueue: DispatchQueue = .main
  ) -> AnyPublisher<T, any Error> {
    decodedDataTaskPublisher(
      for: request, retryCount: retryCount, retryDelay: retryDelay, decodingResultAs: type, decoder: decoder,
      scheduler: returnQueue)
  }

  /// Sends a request, decodes the response, and retries after a failure.
  ///
  /// It works as the method with a return queue, on any scheduler: with virtual time, tests need not wait.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for the method with a return queue, with the
  /// scheduler in its place.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - retryCount: The maximum number of retries. A negative number traps.
  ///   - retryDelay: The delay after each failure.
  ///   - type: The type to decode.
  ///   - decoder: The decoder for the response.
  ///   - scheduler: The scheduler that waits and delivers.
  /// - Returns: A publisher of one decoded value.
  public func decodedDataTaskPublisher<T: Decodable, S: Scheduler>(
    for request: URLRequest, retryCount: Int = 3, retryDelay: S.SchedulerTimeType.Stride = .seconds(3),
    decodingResultAs type: T.Type, decoder: JSONDecoder = .init(), scheduler: S
  ) -> AnyPublisher<T, any Error> {
    dataTaskPublisher(for: request)
      .map(\.data)
      .decode(type: type, decoder: decoder)
      .retry(retryCount, delay: retryDelay, scheduler: scheduler)
      .receive(on: scheduler)
      .eraseToAnyPublisher()
  }
}
