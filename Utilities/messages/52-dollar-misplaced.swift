// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The dollar sign stands before the object and not before the property.

import Penstock

final class Screen {
  let model = Model()

  #if !FIXED
    func show() -> AnyCancellable {
      $model.name.sink { print($0) }
    }
  #else
    func show() -> AnyCancellable {
      model.$name.sink { print($0) }
    }
  #endif
}
