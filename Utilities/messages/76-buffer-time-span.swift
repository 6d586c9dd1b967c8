// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `buffer` of RxSwift gathers values in arrays.

import Foundation
import Penstock

#if !FIXED
  func show(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    numbers.buffer(timeSpan: .seconds(1), count: 10, scheduler: DispatchQueue.main).sink { print($0) }
  }
#else
  func show(_ numbers: PassthroughSubject<Int, Never>) -> AnyCancellable {
    numbers.collect(.byTimeOrCount(DispatchQueue.main, .seconds(1), 10)).sink { print($0) }
  }
#endif
