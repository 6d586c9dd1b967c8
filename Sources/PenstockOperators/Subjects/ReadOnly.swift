// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension CurrentValueSubject {
  /// This subject's values and its latest value, for code that should not send.
  ///
  /// ```swift
  /// final class Player {
  ///   private let state = CurrentValueSubject<String, Never>("stopped")
  ///   var currentState: CurrentValuePublisher<String, Never> { state.readOnly }
  ///   func play() { state.send("playing") }
  /// }
  /// let player = Player()
  /// player.play()
  /// print(player.currentState.value)
  /// // Prints "playing"
  /// ```
  @_alwaysEmitIntoClient
  public var readOnly: CurrentValuePublisher<Output, Failure> {
    CurrentValuePublisher(eraseToAnyPublisher(), read: { self.value })
  }
}

extension CurrentValueRelay {
  /// This relay's values and its latest value, for code that should not send; see ``CurrentValuePublisher``.
  ///
  /// ```swift
  /// let level = CurrentValueRelay(1)
  /// let current = level.readOnly
  /// level.accept(2)
  /// print(current.value)
  /// // Prints "2"
  /// ```
  @_alwaysEmitIntoClient
  public var readOnly: CurrentValuePublisher<Output, Never> {
    CurrentValuePublisher(eraseToAnyPublisher(), read: { self.value })
  }
}

extension Published.Publisher {
  /// The property's values and its present value, for code that should not set it; see ``CurrentValuePublisher``.
  ///
  /// A property publishes a value before storing it: within a delivery, `value` is still the previous value. Use the
  /// delivered value.
  ///
  /// ```swift
  /// final class Model: ObservableObject {
  ///   @Published var count = 1
  /// }
  /// let model = Model()
  /// let isEven = model.$count.readOnly.map { $0.isMultiple(of: 2) }
  /// model.count = 2
  /// print(isEven.value)
  /// // Prints "true"
  /// ```
  public var readOnly: CurrentValuePublisher<Value, Never> {
    CurrentValuePublisher(eraseToAnyPublisher(), read: { self.value })
  }
}
