// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A closure that belongs to no actor changes what belongs to the main actor, in Swift 6 mode.

import Foundation
import Penstock

@MainActor
final class Screen {
  var title = ""
}

#if !FIXED
  func bind(_ names: PassthroughSubject<String, Never>, to screen: Screen) -> AnyCancellable {
    names.sink { screen.title = $0 }
  }
#else
  @MainActor
  func bind(_ names: PassthroughSubject<String, Never>, to screen: Screen) -> AnyCancellable {
    names.receive(on: DispatchQueue.main).sink { screen.title = $0 }
  }
#endif
