// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publishers {
  /// Republishes a publisher that is made from a resource, and releases the resource at the end or a cancel.
  ///
  /// Each subscriber gets a resource of its own.
  ///
  /// ```swift
  /// let lines = Publishers.using {
  ///   print("open")
  ///   return ["a", "b"]
  /// } cleanup: { _ in
  ///   print("close")
  /// } publisher: { file in
  ///   file.publisher
  /// }
  /// let cancellable = lines.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "open", "a", "b", "close", "finished" on five lines.
  /// ```
  ///
  /// The cleanup is called exactly once for each resource: before the completion is delivered, so that a `retry`
  /// downstream finds the resource released; or right after a cancel has reached the publisher; or, if the publisher
  /// drops its subscriber with neither a completion nor a cancel, when the subscriber is released.
  ///
  /// **Demand:** passed to the publisher.
  ///
  /// **Completion:** that of the publisher.
  ///
  /// **Failure:** that of the publisher.
  ///
  /// **Concurrency:** the resource and the publisher are made on the thread that subscribes. The cleanup runs on the
  /// thread that completes or cancels. After a cancel during a delivery on another thread, the delivery may still be
  /// running.
  ///
  /// Use ``tryUsing(resource:cleanup:publisher:)`` with a resource that cannot always be made, `Deferred` for a
  /// publisher that needs no cleanup, and ``PenstockCore/AnyPublisher/create(bufferSize:whenFull:_:)`` for a resource
  /// that calls back.
  ///
  /// - Parameters:
  ///   - resource: A closure that makes the resource for a subscriber.
  ///   - cleanup: A closure that releases it.
  ///   - publisher: A closure that makes a publisher from it.
  /// - Returns: A publisher that makes a resource for each subscriber.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public static func using<Resource, P: Publisher>(
    resource: @escaping () -> Resource, cleanup: @escaping (Resource) -> Void, publisher: @escaping (Resource) -> P
  ) -> Publishers.Lifted<P.Output, P.Failure> {
    Publishers.Lifted(Using(makeResource: { .success(resource()) }, cleanup: cleanup, makePublisher: publisher))
  }

  /// Republishes a publisher that is made from a resource, or fails with the error that making the resource throws.
  ///
  /// It works as ``using(resource:cleanup:publisher:)``.
  ///
  /// ```swift
  /// struct Missing: Error {}
  /// let lines = Publishers.tryUsing {
  ///   throw Missing()
  /// } cleanup: { (file: [String]) in
  ///   print("close")
  /// } publisher: { file in
  ///   file.publisher.setFailureType(to: (any Error).self)
  /// }
  /// let cancellable = lines.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "failure(Missing())"
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for ``using(resource:cleanup:publisher:)``.
  ///
  /// **Failure:** that of the publisher, or the error that the closure for the resource throws, which needs no request.
  /// In that case there is nothing to release.
  ///
  /// - Parameters:
  ///   - resource: A closure that makes the resource for a subscriber.
  ///   - cleanup: A closure that releases it.
  ///   - publisher: A closure that makes a publisher from it.
  /// - Returns: A publisher that makes a resource for each subscriber.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public static func tryUsing<Resource, P: Publisher>(
    resource: @escaping () throws -> Resource, cleanup: @escaping (Resource) -> Void,
    publisher: @escaping (Resource) -> P
  ) -> Publishers.Lifted<P.Output, any Error> where P.Failure == any Error {
    Publishers.Lifted(Using(makeResource: { Result(catching: resource) }, cleanup: cleanup, makePublisher: publisher))
  }
}

/// The publisher of `using`.
@usableFromInline
internal struct Using<Resource, Used: Publisher>: Publisher {
  @usableFromInline internal typealias Output = Used.Output
  @usableFromInline internal typealias Failure = Used.Failure

  @usableFromInline internal let makeResource: () -> Result<Resource, Failure>
  @usableFromInline internal let cleanup: (Resource) -> Void
  @usableFromInline internal let makePublisher: (Resource) -> Used

  @inlinable
  internal init(
    makeResource: @escaping () -> Result<Resource, Failure>, cleanup: @escaping (Resource) -> Void,
    makePublisher: @escaping (Resource) -> Used
  ) {
    self.makeResource = makeResource
    self.cleanup = cleanup
    self.makePublisher = makePublisher
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    switch makeResource() {
    case .success(let resource):
      let cleanup = cleanup
      let stage = UseStage<UsingName, Output, Failure>(ResourceUse { cleanup(resource) })
      makePublisher(resource).subscribe(ObservingSubscriber(stage, to: subscriber))
    case .failure(let error):
      attachNothing(ending: .failure(error), to: subscriber)
    }
  }
}

/// The name of `using`.
@usableFromInline
internal enum UsingName: UseName {
  @inlinable
  internal static var name: String { "Using" }
}
