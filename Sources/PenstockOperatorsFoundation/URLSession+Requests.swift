// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore
public import PenstockFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Loads several URLs, and publishes the responses as they arrive.
  ///
  /// See `dataTaskPublisher(for:)` for several requests.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `dataTaskPublisher(for:)` for several
  /// requests.
  ///
  /// - Parameter urls: The URLs to load.
  /// - Returns: A publisher of one response for each URL.
  public func dataTaskPublisher(for urls: [URL]) -> Publishers.MergeMany<DataTaskPublisher> {
    dataTaskPublisher(for: urls.map { URLRequest(url: $0) })
  }

  /// Sends several requests, and publishes the responses as they arrive.
  ///
  /// Combine has no such method. Each subscriber sends its own requests.
  ///
  /// <!-- not run: network -->
  /// ```swift
  /// let requests = ["gate", "turbine"].map { URLRequest(url: URL(string: "https://example.org/\($0)")!) }
  /// let cancellable = URLSession.shared.dataTaskPublisher(for: requests)
  ///   .reduce(0) { $0 + $1.data.count }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, "bytes") })
  /// // Prints "12 bytes", "finished" on two lines for answers of five and seven bytes.
  /// ```
  ///
  /// **Demand:** all requests are sent when the subscriber attaches. A response that arrives before it is requested
  /// waits.
  ///
  /// **Completion:** after the last response; at once if there are no requests.
  ///
  /// **Failure:** the first request that fails ends the stream, and the others are cancelled.
  ///
  /// **Concurrency:** delivers on the session's delegate queue, one response at a time. A cancel cancels all tasks.
  ///
  /// Use `dataTaskPublisher(for:)` for a single request, and `flatMap(maxPublishers:_:)` to limit how many requests run
  /// at a time.
  ///
  /// - Parameter requests: The requests to send.
  /// - Returns: A publisher of one response for each request.
  public func dataTaskPublisher(for requests: [URLRequest]) -> Publishers.MergeMany<DataTaskPublisher> {
    Publishers.MergeMany(requests.map { DataTaskPublisher(request: $0, session: self) })
  }
}
