// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
internal import PenstockOperators

extension Publishers {
  /// Publishes what a publisher made from a resource does, where it takes time to acquire the resource and to release it.
  ///
  /// Each subscriber gets a resource of its own: a transaction, say, that is committed or rolled back behind the stream.
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
  /// The resource is released exactly once, and never before the publisher is done with it. The end waits for that: a `retry`
  /// downstream begins when it has been released. A cancel reaches the publisher first, so that it may roll back, say; then
  /// the release begins, in a task of its own, for which the cancel does not wait. If the cancel comes while the resource is
  /// being acquired, the task that acquires it is cancelled; a resource that it returns all the same is released at once. A
  /// stream that is dropped without an end or a cancel releases its resource in the same way.
  ///
  /// **Demand:** passed to the publisher, when there is a resource. `request(.none)` traps.
  ///
  /// **Completion:** that of the publisher, when the resource has been released.
  ///
  /// **Failure:** that of the publisher, when the resource has been released.
  ///
  /// **Concurrency:** the closures that acquire and release run in tasks, off every actor unless they are isolated. The
  /// publisher is made where the first has ended; the end is delivered where the second has. If a cancel comes during a delivery
  /// on another thread, that one delivery may still be running when the release begins.
  ///
  /// Use `Publishers.using(resource:cleanup:publisher:)` of PenstockOperators where neither has to wait.
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
        // Which cancels upstream first: that uses the resource until then.
        .finally { use.cancel() }
    }
  }

  /// A publisher that releases a resource, if there is one, and finishes then.
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
