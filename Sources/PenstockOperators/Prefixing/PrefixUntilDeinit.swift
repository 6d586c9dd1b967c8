// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The lifetime of the object that has it as a property, for
/// ``PenstockCore/Publisher/prefix(untilDeinitOf:)-(Lifetime)``.
///
/// ```swift
/// final class Screen {
///   let lifetime = Lifetime()
///
///   func show(_ ticks: some Publisher<Int, Never>) -> AnyCancellable {
///     ticks.prefix(untilDeinitOf: lifetime).sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
///   }
/// }
///
/// let ticks = PassthroughSubject<Int, Never>()
/// var screen: Screen? = Screen()
/// let cancellable = screen?.show(ticks)
/// ticks.send(1)
/// screen = nil
/// // Prints "1", "finished" on two lines.
/// ```
///
/// It ends when its last owner releases it. Keep it in one object only, and nowhere else.
public final class Lifetime: Sendable {
  /// Becomes true at the end, and never completes, so that a later subscriber finds the end as well.
  @usableFromInline internal let hasEnded = CurrentValueSubject<Bool, Never>(false)

  /// Creates the lifetime of an object that is being created.
  public init() {}

  deinit { hasEnded.send(true) }
}

extension Publisher {
  /// Republishes values until an object is deinitialised, and then finishes at once.
  ///
  /// ![When the object is gone, upstream is cancelled and the output finishes.](prefix-until-deinit)
  ///
  /// The object has a ``Lifetime`` among its properties, which reports its end. A stream does not keep the object
  /// alive.
  ///
  /// ```swift
  /// let ticks = PassthroughSubject<Int, Never>()
  /// var lifetime: Lifetime? = Lifetime()
  /// let cancellable = ticks.prefix(untilDeinitOf: lifetime!).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ticks.send(1)
  /// lifetime = nil
  /// // Prints "1", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** the end of the object cancels upstream and finishes the publisher. Upstream's own `.finished` is
  /// forwarded. A subscriber that arrives after the end of the object gets `.finished` at once.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** values are delivered on the thread on which upstream delivers, and the end on the thread that
  /// makes the last release of the object; downstream receives one signal at a time.
  ///
  /// Use ``prefix(untilDeinitOf:)-(Object)`` for an object without a ``Lifetime``, and `store(in:)` if no completion is
  /// needed at the end.
  ///
  /// - Parameter lifetime: The lifetime of the object.
  /// - Returns: A publisher of the values within that lifetime.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func prefix(untilDeinitOf lifetime: Lifetime) -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(prefix(untilOutputFrom: lifetime.hasEnded.filter { $0 }))
  }

  /// Republishes values as long as an object exists, and finishes at the first value after its end.
  ///
  /// ![When the object is gone, the next value finishes the output.](prefix-until-deinit-object)
  ///
  /// Swift has no means to report the end of an arbitrary object on every system, so the stream finds out when a value
  /// arrives. A stream does not keep the object alive.
  ///
  /// ```swift
  /// final class Screen {}
  /// let ticks = PassthroughSubject<Int, Never>()
  /// var screen: Screen? = Screen()
  /// let cancellable = ticks.prefix(untilDeinitOf: screen!).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ticks.send(1)
  /// screen = nil
  /// ticks.send(2)
  /// // Prints "1", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded. The first value after the end of the object cancels upstream and finishes the publisher;
  /// a stream without values ends when upstream does.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; values are delivered on the thread on which upstream delivers.
  ///
  /// Use ``prefix(untilDeinitOf:)-(Lifetime)`` to finish at once, and ``withUnretained(_:)`` for values together with the
  /// object.
  ///
  /// - Parameter object: The object.
  /// - Returns: A publisher of the values while the object exists.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func prefix<Object: AnyObject>(
    untilDeinitOf object: Object
  ) -> Publishers.Lifted<Output, Failure> {
    withUnretained(object) { $1 }
  }
}
