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
  /// Publishes what a server answers to a plain request for a URL, decoded.
  ///
  /// It is tried again where that fails; see the method for a `URLRequest`.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - retryCount: How many times to try again, at most. A negative number traps.
  ///   - retryDelay: How long to wait after each failure.
  ///   - type: What to decode the answer as.
  ///   - decoder: Decodes the answer.
  ///   - returnQueue: Where to wait and to deliver.
  /// - Returns: A publisher of one decoded answer.
  public func decodedDataTaskPublisher<T: Decodable>(
    for url: URL, retryCount: Int = 3, retryDelay: DispatchQueue.SchedulerTimeType.Stride = 3,
    decodingResultAs type: T.Type, decoder: JSONDecoder = .init(), returnQueue: DispatchQueue = .main
  ) -> AnyPublisher<T, any Error> {
    decodedDataTaskPublisher(
      for: URLRequest(url: url), retryCount: retryCount, retryDelay: retryDelay, decodingResultAs: type,
      decoder: decoder, returnQueue: returnQueue)
  }

  /// Publishes what a server answers to a request, decoded, and tries again where that fails.
  ///
  /// ```swift
  /// struct Item: Decodable { let name: String }
  /// let request = URLRequest(url: URL(string: "https://example.org/items")!)
  /// let cancellable = URLSession.shared
  ///   .decodedDataTaskPublisher(for: request, decodingResultAs: [Item].self)
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0.map(\.name)) })
  /// // Prints "["gate", "pipe"]", "finished" on two lines for an answer with these two.
  /// ```
  ///
  /// The answer is decoded whatever its status code is: a server that says in plain text what is wrong makes decoding
  /// fail, and is asked again.
  ///
  /// **Demand:** the request is sent with the first request for values, of which one comes. It is carried over to each
  /// further attempt.
  ///
  /// **Completion:** right after the answer.
  ///
  /// **Failure:** the session's `URLError`, or the decoder's error, of the last attempt.
  ///
  /// **Concurrency:** decodes on the session's delegate queue. Waits, tries again and delivers on the return queue. A
  /// cancel cancels the task, or the wait.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - retryCount: How many times to try again, at most. A negative number traps.
  ///   - retryDelay: How long to wait after each failure.
  ///   - type: What to decode the answer as.
  ///   - decoder: Decodes the answer.
  ///   - returnQueue: Where to wait and to deliver.
  /// - Returns: A publisher of one decoded answer.
  public func decodedDataTaskPublisher<T: Decodable>(
    for request: URLRequest, retryCount: Int = 3, retryDelay: DispatchQueue.SchedulerTimeType.Stride = 3,
    decodingResultAs type: T.Type, decoder: JSONDecoder = .init(), returnQueue: DispatchQueue = .main
  ) -> AnyPublisher<T, any Error> {
    decodedDataTaskPublisher(
      for: request, retryCount: retryCount, retryDelay: retryDelay, decodingResultAs: type, decoder: decoder,
      scheduler: returnQueue)
  }

  /// Publishes what a server answers to a request, decoded, and tries again where that fails.
  ///
  /// Like the method with a return queue, on any scheduler: on one with virtual time the waits take none.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - retryCount: How many times to try again, at most. A negative number traps.
  ///   - retryDelay: How long to wait after each failure.
  ///   - type: What to decode the answer as.
  ///   - decoder: Decodes the answer.
  ///   - scheduler: Where to wait and to deliver.
  /// - Returns: A publisher of one decoded answer.
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
