// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

extension Law {
  /// Two of the same operator are equal to one.
  static let fusion: [Law] = [
    .init(
      "Two maps are one.", .demand, "{0}.map { $0 &+ #n }.map { $0 &* #m }", "{0}.map { ($0 &+ #n) &* #m }",
      { s in s[0].map { [n = s.n] in $0 &+ n }.map { [m = s.m] in $0 &* m }.eraseToAnyPublisher() },
      { s in s[0].map { [n = s.n, m = s.m] in ($0 &+ n) &* m }.eraseToAnyPublisher() }),
    .init(
      "Two filters are one.", .demand, "{0}.filter { $0 % (#n + 1) != 0 }.filter { $0 % (#m + 1) != 0 }",
      "{0}.filter { $0 % (#n + 1) != 0 && $0 % (#m + 1) != 0 }",
      { s in
        s[0].filter { [n = s.n] in $0 % (n + 1) != 0 }.filter { [m = s.m] in $0 % (m + 1) != 0 }.eraseToAnyPublisher()
      },
      { s in s[0].filter { [n = s.n, m = s.m] in $0 % (n + 1) != 0 && $0 % (m + 1) != 0 }.eraseToAnyPublisher() }),
    .init(
      "Two compactMaps are one.", .demand,
      "{0}.compactMap { $0 % (#n + 1) == 0 ? nil : $0 &+ 1 }.compactMap { $0 % (#m + 1) == 0 ? nil : $0 }",
      "{0}.compactMap { $0 % (#n + 1) == 0 || ($0 &+ 1) % (#m + 1) == 0 ? nil : $0 &+ 1 }",
      { s in
        s[0].compactMap { [n = s.n] in $0 % (n + 1) == 0 ? nil : $0 &+ 1 }
          .compactMap { [m = s.m] in $0 % (m + 1) == 0 ? nil : $0 }.eraseToAnyPublisher()
      },
      { s in
        s[0].compactMap { [n = s.n, m = s.m] in $0 % (n + 1) == 0 || ($0 &+ 1) % (m + 1) == 0 ? nil : $0 &+ 1 }
          .eraseToAnyPublisher()
      }),
    .init(
      "Of two prefixes the shorter counts.", .demand, "{0}.prefix(#n).prefix(#m)", "{0}.prefix(min(#n, #m))",
      { $0[0].prefix($0.n).prefix($0.m).eraseToAnyPublisher() },
      { $0[0].prefix(min($0.n, $0.m)).eraseToAnyPublisher() }),
    .init(
      "What two dropFirsts drop adds up.", .demand, "{0}.dropFirst(#n).dropFirst(#m)", "{0}.dropFirst(#n + #m)",
      { $0[0].dropFirst($0.n).dropFirst($0.m).eraseToAnyPublisher() },
      { $0[0].dropFirst($0.n + $0.m).eraseToAnyPublisher() }),
    .init(
      "removeDuplicates twice is once.", .demand, "{0}.removeDuplicates().removeDuplicates()",
      "{0}.removeDuplicates()", { $0[0].removeDuplicates().removeDuplicates().eraseToAnyPublisher() },
      { $0[0].removeDuplicates().eraseToAnyPublisher() }),
    .init(
      "The last of the intermediate results is the result.", .demand,
      "{0}.scan(0) { $0 &+ $1 }.last().replaceEmpty(with: 0)", "{0}.reduce(0) { $0 &+ $1 }",
      { $0[0].scan(0) { $0 &+ $1 }.last().replaceEmpty(with: 0).eraseToAnyPublisher() },
      { $0[0].reduce(0) { $0 &+ $1 }.eraseToAnyPublisher() }),
    .init(
      "count is the count of what is collected.", .demand, "{0}.count()", "{0}.collect().map { $0.count }",
      { $0[0].count().eraseToAnyPublisher() }, { $0[0].collect().map { $0.count }.eraseToAnyPublisher() }),
    .init(
      "All satisfy what none fails to satisfy.", .demand, "{0}.allSatisfy { $0 > #n }.map { $0 ? 1 : 0 }",
      "{0}.contains { $0 <= #n }.map { $0 ? 0 : 1 }",
      { s in s[0].allSatisfy { [n = s.n] in $0 > n }.map { $0 ? 1 : 0 }.eraseToAnyPublisher() },
      { s in s[0].contains { [n = s.n] in $0 <= n }.map { $0 ? 0 : 1 }.eraseToAnyPublisher() }),
  ]
}
