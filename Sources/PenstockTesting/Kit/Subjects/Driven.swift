// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher together with what drives it: a clock that has to be moved, an event loop that has to run, resources to
/// count.
///
/// A publisher that delivers inside the request needs none of this: pass it as it is.
public struct Driven<Base: Publisher> {
  let publisher: Base
  /// `nil` where nothing drives it.
  let settle: (() -> Void)?
  let resources: (() -> Int)?

  /// Creates a driven publisher.
  ///
  /// - Parameters:
  ///   - publisher: The publisher.
  ///   - settle: Called after each step of a check; when it returns, the publisher has delivered everything that it
  ///     will. Move virtual time here. Without it, the kit waits for deliveries on another thread.
  ///   - resources: Returns how many timers, observers or files the publisher holds open.
  public init(_ publisher: Base, settle: (() -> Void)? = nil, resources: (() -> Int)? = nil) {
    (self.publisher, self.settle, self.resources) = (publisher, settle, resources)
  }
}
