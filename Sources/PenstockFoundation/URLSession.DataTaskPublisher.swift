// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Loads a URL, and publishes the response.
  ///
  /// See ``dataTaskPublisher(for:)-(URLRequest)``.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``dataTaskPublisher(for:)-(URLRequest)``.
  ///
  /// - Parameter url: The URL to load.
  /// - Returns: A publisher of one response.
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
    dataTaskPublisher(for: URLRequest(url: url))
  }

  /// Sends a request, and publishes the response.
  ///
  /// Each subscriber sends a request of its own.
  ///
  /// <!-- not run: network -->
  /// ```swift
  /// let request = URLRequest(url: URL(string: "https://example.org/gate")!)
  /// let cancellable = URLSession.shared.dataTaskPublisher(for: request)
  ///   .map { $0.data.count }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, "bytes") })
  /// // Prints "5 bytes", "finished" on two lines for an answer of five bytes.
  /// ```
  ///
  /// **Demand:** the task starts at the first request for values, and delivers one value. `request(.none)` traps.
  ///
  /// **Completion:** right after the response, whatever its status code is.
  ///
  /// **Failure:** the `URLError` of the session.
  ///
  /// **Concurrency:** delivers on the session's delegate queue. A cancel cancels the task. On Linux, a task of a
  /// session with a cache is cancelled no earlier than half a second after its start, since Foundation there may stop
  /// the process if a task is cancelled before it loads; its response is dropped nevertheless.
  ///
  /// - Parameter request: The request to send.
  /// - Returns: A publisher of one response.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }

  /// A publisher of the response to a request; see ``dataTaskPublisher(for:)-(URLRequest)``.
  ///
  /// **Concurrency:** a value; may be used on any thread.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``dataTaskPublisher(for:)-(URLRequest)``.
  public struct DataTaskPublisher: Publisher, Sendable {
    /// The type of the values: the received data and the response.
    public typealias Output = (data: Data, response: URLResponse)

    /// The type of the failure: the error of the session.
    public typealias Failure = URLError

    /// The request to send.
    public let request: URLRequest

    /// The session that sends the request.
    public let session: URLSession

    /// Creates a publisher of the response to a request.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - session: The session that sends the request.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    /// Attaches a subscriber; a task starts at its first request.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
      DataTaskSource(self).start(subscriber.erased())
    }
  }
}
