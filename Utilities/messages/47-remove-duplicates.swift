// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `removeDuplicates()` of values that cannot be compared.

import Penstock

#if !FIXED
  func show(_ articles: PassthroughSubject<Article, Never>) -> AnyCancellable {
    articles.removeDuplicates().sink { print($0) }
  }
#else
  func show(_ articles: PassthroughSubject<Article, Never>) -> AnyCancellable {
    articles.removeDuplicates { $0.id == $1.id }.sink { print($0) }
  }
#endif
