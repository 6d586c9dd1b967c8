// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Publishes what a server answers to a plain request for a URL.
  ///
  /// See ``dataTaskPublisher(for:)-(URLRequest)``.
  ///
  /// - Parameter url: The URL.
  /// - Returns: A publisher of one answer.
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
    dataTaskPublisher(for: URLRequest(url: url))
  }

  /// Publishes what a server answers to a request.
  ///
  /// Each subscriber makes a request of its own.
  ///
  /// ```swift
  /// let request = URLRequest(url: URL(string: "https://example.org/gate")!)
  /// let cancellable = URLSession.shared.dataTaskPublisher(for: request)
  ///   .map { $0.data.count }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, "bytes") })
  /// // Prints "5 bytes", "finished" on two lines for an answer of five bytes.
  /// ```
  ///
  /// **Demand:** the task starts with the first request for values, of which one comes. `request(.none)` traps.
  ///
  /// **Completion:** right after the answer, whatever its status code is.
  ///
  /// **Failure:** the session's `URLError`.
  ///
  /// **Concurrency:** delivers on the session's delegate queue. Cancelling cancels the task. On Linux a task of a session
  /// with a cache is cancelled half a second after its start if the cancel comes earlier, since Foundation there may stop
  /// the process when a task is cancelled before it loads; its answer is dropped all the same.
  ///
  /// - Parameter request: The request.
  /// - Returns: A publisher of one answer.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }

  /// A publisher of a server's answer; see ``dataTaskPublisher(for:)-(URLRequest)``.
  ///
  /// **Concurrency:** a value; may be used on any thread.
  public struct DataTaskPublisher: Publisher, Sendable {
    /// What has been received, and what the server has said about it.
    public typealias Output = (data: Data, response: URLResponse)

    /// The error of the session.
    public typealias Failure = URLError

    /// The request.
    public let request: URLRequest

    /// The session that carries it out.
    public let session: URLSession

    /// Makes a publisher of a server's answer.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The session that carries it out.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    /// Attaches a subscriber, for which a task is made when it asks.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
      DataTaskSubscription(self, to: subscriber.erased()).introduce()
    }
  }
}
