// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// `merge`, of any number of publishers.
@usableFromInline
package protocol MergeOperator: SerialOperator where Core == MergeCore<Output, Failure> {
  /// The number of upstreams.
  var upstreamCount: Int { get }

  /// Subscribes to the upstreams, each at its place.
  func join<Downstream: Subscriber>(_ core: Core, upstreamOf downstream: Downstream.Type)
  where Downstream.Input == Output, Downstream.Failure == Failure
}

extension MergeOperator {
  @inlinable
  package func makeCore(_ downstream: __owned SubscriberCalls) -> MergeCore<Output, Failure> {
    MergeCore(upstreamCount, downstream: downstream)
  }

  @_alwaysEmitIntoClient
  package func start<Downstream: Subscriber>(_ core: MergeCore<Output, Failure>, upstreamOf downstream: Downstream.Type)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    core.start()
    join(core, upstreamOf: Downstream.self)
    core.endJoining()
  }
}

/// `combineLatest`, of any number of publishers.
@usableFromInline
package protocol CombineLatestOperator: SerialOperator where Core == CombineLatestCore<Inlets, Failure> {
  associatedtype Inlets: TupleInlets where Inlets.Values == Output

  func makeInlets() -> Inlets

  /// Subscribes to the upstream of each inlet.
  func join<Downstream: Subscriber>(_ core: Core, upstreamOf downstream: Downstream.Type)
  where Downstream.Input == Output, Downstream.Failure == Failure
}

extension CombineLatestOperator {
  /// A sink directly after the core would read a whole tuple whose parts have just been written, and processors wait
  /// for that: 12 ns a value in place of 7.
  @_alwaysEmitIntoClient @inline(__always)
  package static var keepsSinks: Bool { false }

  @inlinable
  package func makeCore(_ downstream: __owned SubscriberCalls) -> CombineLatestCore<Inlets, Failure> {
    CombineLatestCore(makeInlets(), downstream: downstream)
  }

  @_alwaysEmitIntoClient
  package func start<Downstream: Subscriber>(
    _ core: CombineLatestCore<Inlets, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    core.beginJoining()
    join(core, upstreamOf: Downstream.self)
    core.start()
  }
}

/// `zip`, of any number of publishers.
@usableFromInline
package protocol ZipOperator: SerialOperator where Core == ZipCore<Inlets, Failure> {
  associatedtype Inlets: TupleInlets where Inlets.Values == Output

  func makeInlets() -> Inlets

  /// Subscribes to the upstream of each inlet.
  func join<Downstream: Subscriber>(_ core: Core, upstreamOf downstream: Downstream.Type)
  where Downstream.Input == Output, Downstream.Failure == Failure
}

extension ZipOperator {
  /// Downstream gets its subscription when the last upstream has delivered its own.
  @_alwaysEmitIntoClient @inline(__always)
  package static var keepsSinks: Bool { false }

  @inlinable
  package func makeCore(_ downstream: __owned SubscriberCalls) -> ZipCore<Inlets, Failure> {
    ZipCore(makeInlets(), downstream: downstream)
  }

  @_alwaysEmitIntoClient
  package func start<Downstream: Subscriber>(
    _ core: ZipCore<Inlets, Failure>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    core.begin()
    join(core, upstreamOf: Downstream.self)
    core.endJoining()
  }
}
