// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
internal import PenstockOperators

extension Publishers {
  /// Republishes a publisher that is made from a resource, whose acquisition and release are asynchronous.
  ///
  /// Each subscriber gets a resource of its own: a transaction, say, that is committed or rolled back after the stream.
  ///
  /// ```swift
  /// let rows = Publishers.using {
  ///   print("begin")
  ///   return ["a", "b"]
  /// } releasing: { _ in
  ///   print("commit")
  /// } publisher: { transaction in
  ///   transaction.publisher
  /// }
  /// for await read in rows.collect().values { print(read.joined(separator: ", ")) }
  /// print("end")
  /// // Prints "begin", "commit", "a, b", "end" on four lines.
  /// ```
  ///
  /// The resource is released exactly once, and never before the publisher is done with it. The end of the stream waits
  /// for the release: a `retry` downstream begins when the resource has been released. A cancel reaches the publisher
  /// first, so that it can roll back, say; then the release begins, in a task of its own, for which the cancel does not
  /// wait. If the cancel arrives while the resource is being acquired, the task that acquires it is cancelled; if the
  /// task returns a resource all the same, that is released at once. A stream that is dropped without an end or a
  /// cancel releases its resource in the same way.
  ///
  /// **Demand:** passed to the publisher, once the resource has been acquired. `request(.none)` traps.
  ///
  /// **Completion:** that of the publisher, when the resource has been released.
  ///
  /// **Failure:** that of the publisher, when the resource has been released.
  ///
  /// **Concurrency:** the closures that acquire and release run in tasks, off every actor unless they are isolated. The
  /// publisher is made on the thread on which the acquisition has ended; the end is delivered on the thread on which
  /// the release has ended. After a cancel during a delivery on another thread, that delivery may still be running when
  /// the release begins.
  ///
  /// Use `Publishers.using(resource:cleanup:publisher:)` of PenstockOperators if neither has to wait.
  ///
  /// - Parameters:
  ///   - acquire: A closure that acquires the resource for a subscriber.
  ///   - release: A closure that releases it.
  ///   - publisher: A closure that makes a publisher from it.
  /// - Returns: A publisher that acquires a resource for each subscriber.
  public static func using<Resource: Sendable, P: Publisher>(
    acquiring acquire: @escaping @Sendable () async throws(P.Failure) -> Resource,
    releasing release: @escaping @Sendable (Resource) async -> Void,
    publisher: @escaping (Resource) -> P
  ) -> some Publisher<P.Output, P.Failure> where P.Failure: Sendable {
    Deferred {
      let use = AsyncUse(release)
      let beginning = Future { () async throws(P.Failure) -> Bool in await use.begin(try await acquire()) }
      return beginning.filter { $0 }
        .map { _ in UsingPublisher(use: use, makePublisher: publisher) }
        .switchToLatest()
        .catch { error in released(use, P.self).append(Fail(error: error)) }
        .append(released(use, P.self))
        // This cancels upstream first, which uses the resource until then.
        .finally { use.cancel() }
    }
  }

  /// Returns a publisher that releases a resource, if there is one, and then finishes.
  private static func released<Resource, P: Publisher>(
    _ use: AsyncUse<Resource>, _ like: P.Type
  ) -> some Publisher<P.Output, P.Failure> {
    Deferred { Future<Void, Never> { await use.end() } }
      .ignoreOutput().setOutputType(to: P.Output.self).setFailureType(to: P.Failure.self)
  }
}

/// The publisher that is made from a resource, unless a cancel has overtaken it.
private struct UsingPublisher<Resource: Sendable, P: Publisher>: Publisher {
  typealias Output = P.Output
  typealias Failure = P.Failure

  let use: AsyncUse<Resource>
  let makePublisher: (Resource) -> P

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let hold = WorkHold(use.drop)
    use.attach { resource in
      makePublisher(resource)
        .held(by: hold)
        .handleEvents(receiveCompletion: { [use] _ in use.complete() })
        .subscribe(subscriber)
    }
  }
}
