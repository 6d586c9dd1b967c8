// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// How often an object has said that it will change.
public func changes<Object: ObservableObject>(of object: Object, during body: () -> Void) -> Int {
  var count = 0
  let cancellable = object.objectWillChange.sink { _ in count += 1 }
  body()
  cancellable.cancel()
  return count
}
