// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type-erased publisher.
///
/// Use it to hide the chain of operators from callers, so that the chain can change without changing the return type.
///
/// ```swift
/// func temperatures() -> AnyPublisher<Double, Never> {
///   [20.0, 25.0].publisher.map { $0 * 1.8 + 32 }.eraseToAnyPublisher()
/// }
/// let cancellable = temperatures().sink { print($0) }
/// // Prints "68.0", "77.0" on two lines.
/// ```
///
/// **Demand:** passed to the wrapped publisher.
///
/// **Completion:** that of the wrapped publisher.
///
/// **Failure:** likewise.
///
/// **Concurrency:** adds nothing: values arrive as the wrapped publisher delivers them.
///
/// In Combine, the wrapped publisher receives the attached subscriber itself. Here it may receive an ``AnySubscriber``
/// with the same identifier and the same texts.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  @usableFromInline
  internal let box: ErasedPublisher<Output, Failure>

  /// Creates a type-erased publisher.
  ///
  /// If it is type-erased already, it is not wrapped again.
  ///
  /// - Parameter publisher: The publisher to wrap.
  @inlinable
  public init<P: Publisher>(_ publisher: P) where Output == P.Output, Failure == P.Failure {
    if P.self == AnyPublisher.self {
      self = unsafeBitCast(publisher, to: AnyPublisher.self)
    } else {
      box = ErasedPublisherBox(publisher)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    box.attach(box, AnySubscriber(subscriber))
  }

  @_alwaysEmitIntoClient @inline(__always)
  public static var _offer: _Offer { .values }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    guard target._isReady else { return target._subscribe(to: self) }
    return switch withUnsafePointer(to: target, { box.handOver(box, ErasedTarget($0)) }) {
    case .nothing: target._subscribe(to: self)
    case .value(let value): target._receive(only: value)
    case .completion(let completion): target._receive(completion: completion)
    case .resident(let subscription): Target._answer(subscription)
    }
  }
}

extension AnyPublisher: CustomStringConvertible, CustomPlaygroundDisplayConvertible {
  /// `AnyPublisher`.
  public var description: String { "AnyPublisher" }

  /// `AnyPublisher`.
  public var playgroundDescription: Any { description }
}

extension Publisher {
  /// Wraps this publisher in a type-erased publisher.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for this publisher.
  ///
  /// - Returns: A publisher that behaves exactly as this one.
  @inlinable
  public consuming func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(self)
  }
}

/// A type-erased publisher that attaches subscribers by code specialised for its type.
@usableFromInline
internal class ErasedPublisher<Output, Failure: Error> {
  @usableFromInline
  internal typealias HandOver =
    (ErasedPublisher<Output, Failure>, ErasedTarget<Output, Failure>) -> ErasedAnswer<Output, Failure>

  @usableFromInline internal final let attach:
    (ErasedPublisher<Output, Failure>, AnySubscriber<Output, Failure>) -> Void

  @usableFromInline internal final let handOver: HandOver

  @_alwaysEmitIntoClient
  internal init(
    attach: @escaping (ErasedPublisher<Output, Failure>, AnySubscriber<Output, Failure>) -> Void,
    handOver: @escaping HandOver
  ) {
    self.attach = attach
    self.handOver = handOver
  }
}

@usableFromInline
internal final class ErasedPublisherBox<P: Publisher>: ErasedPublisher<P.Output, P.Failure> {
  @usableFromInline internal let publisher: P

  @_alwaysEmitIntoClient
  internal init(_ publisher: P) {
    self.publisher = publisher
    super.init(
      attach: { box, subscriber in
        unsafeDowncast(box, to: ErasedPublisherBox.self).publisher.receive(subscriber: subscriber)
      },
      handOver: { box, target in unsafeDowncast(box, to: ErasedPublisherBox.self).publisher._fuse(into: target) })
  }
}
