// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

extension Law {
  /// One publisher after another.
  static let succession: [Law] = [
    .init(
      "append is associative.", .demand, arity: 3, "{0}.append({1}).append({2})", "{0}.append({1}.append({2}))",
      { $0[0].append($0[1]).append($0[2]).eraseToAnyPublisher() },
      { $0[0].append($0[1].append($0[2])).eraseToAnyPublisher() }),
    .init(
      "prepend is append the other way round.", .demand, arity: 2, "{0}.append({1})", "{1}.prepend({0})",
      { $0[0].append($0[1]).eraseToAnyPublisher() }, { $0[1].prepend($0[0]).eraseToAnyPublisher() }),
    .init(
      "Nothing appended changes nothing.", .demand, "{0}.append(Empty())", "{0}",
      { $0[0].append(Empty()).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "Nothing prepended changes nothing.", .demand, "{0}.prepend(Empty())", "{0}",
      { $0[0].prepend(Empty()).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "No retry changes nothing.", .signals, "{0}.retry(0)", "{0}", { $0[0].retry(0).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "Nothing is caught where nothing fails.", .demand,
      "{0}.replaceError(with: #n).setFailureType(to: ModelError.self).catch { _ in Just(0).setFailureType(to: ModelError.self) }",
      "{0}.replaceError(with: #n).setFailureType(to: ModelError.self)",
      {
        $0[0].replaceError(with: $0.n).setFailureType(to: ModelError.self)
          .catch { _ in Just(0).setFailureType(to: ModelError.self) }.eraseToAnyPublisher()
      }, { $0[0].replaceError(with: $0.n).setFailureType(to: ModelError.self).eraseToAnyPublisher() }),
    .init(
      "A failure that is caught and made again is the same.", .demand, "{0}.catch { Fail(error: $0) }", "{0}",
      { $0[0].catch { Fail(error: $0) }.eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "Catching with one value is replacing.", .signals,
      "{0}.catch { _ in Just(#n).setFailureType(to: ModelError.self) }",
      "{0}.replaceError(with: #n).setFailureType(to: ModelError.self)",
      { s in
        s[0].catch { [n = s.n] _ in Just(n).setFailureType(to: ModelError.self) }.eraseToAnyPublisher()
      }, { $0[0].replaceError(with: $0.n).setFailureType(to: ModelError.self).eraseToAnyPublisher() }),
    .init(
      "A second attempt is what is caught.", .signals, "{0}.retry(1)", "{0}.catch { _ in {0} }",
      { $0[0].retry(1).eraseToAnyPublisher() }, { s in s[0].catch { _ in s[0] }.eraseToAnyPublisher() }),
  ]
}
