// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// Returns the number of changes that an object announces during a closure.
public func changes<Object: ObservableObject>(of object: Object, during body: () -> Void) -> Int {
  var count = 0
  let cancellable = object.objectWillChange.sink { _ in count += 1 }
  body()
  cancellable.cancel()
  return count
}
