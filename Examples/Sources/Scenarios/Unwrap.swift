// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

extension Publisher {
  /// Lets only values through that are there, and takes them out of their optionals.
  ///
  /// ```swift
  /// let cancellable = [1, nil, 2].publisher.unwrap().sink { print($0) }
  /// // Prints "1", "2" on two lines.
  /// ```
  func unwrap<T>() -> Publishers.CompactMap<Self, T> where Output == T? {
    compactMap { $0 }
  }
}

extension Scenario {
  static let unwrap = Scenario(name: "unwrap", heading: "unwrap: an operator composed of another") { page in
    let cancellable = [1, 2, nil, 3, nil, 4].publisher
      .unwrap()
      .sink { page.print("Received value: \($0)") }
    cancellable.cancel()
  }
}
