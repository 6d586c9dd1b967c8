// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore
public import PenstockFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Publishes the answers to plain requests for several URLs, as they come in.
  ///
  /// See `dataTaskPublisher(for:)` of several requests.
  ///
  /// - Parameter urls: The URLs.
  /// - Returns: A publisher of an answer for each URL.
  public func dataTaskPublisher(for urls: [URL]) -> Publishers.MergeMany<DataTaskPublisher> {
    dataTaskPublisher(for: urls.map { URLRequest(url: $0) })
  }

  /// Publishes the answers to several requests, as they come in.
  ///
  /// Combine has no such method. Each subscriber makes requests of its own.
  ///
  /// ```swift
  /// let requests = ["gate", "turbine"].map { URLRequest(url: URL(string: "https://example.org/\($0)")!) }
  /// let cancellable = URLSession.shared.dataTaskPublisher(for: requests)
  ///   .reduce(0) { $0 + $1.data.count }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, "bytes") })
  /// // Prints "12 bytes", "finished" on two lines for answers of five and seven bytes.
  /// ```
  ///
  /// **Demand:** all requests are made when the subscriber attaches. An answer that comes before it is asked for waits.
  ///
  /// **Completion:** behind the last answer; at once where there is nothing to request.
  ///
  /// **Failure:** the first request that fails ends the stream, and the others are cancelled.
  ///
  /// **Concurrency:** delivers on the session's delegate queue, one answer at a time. Cancelling cancels all tasks.
  ///
  /// - Parameter requests: The requests.
  /// - Returns: A publisher of an answer for each request.
  public func dataTaskPublisher(for requests: [URLRequest]) -> Publishers.MergeMany<DataTaskPublisher> {
    Publishers.MergeMany(requests.map { DataTaskPublisher(request: $0, session: self) })
  }
}
