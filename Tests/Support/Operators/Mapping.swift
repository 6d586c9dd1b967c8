// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let mapping: [OperatorSpec] = [
    .init("map", .transparent, shown: "Map", outputs: ["3", "4"]) { $0.map { $0 + 1 } },
    .init(
      "map, key path", .transparent, shown: "ValueForKey", children: ["keyPath"], number: { Int($0) }
    ) { $0.map(\.magnitude) },
    .init(
      "map, two key paths", .transparent, shown: "ValueForKeys", children: ["keyPath0", "keyPath1"],
      outputs: ["(2, 1)", "(3, 2)"], number: { Int($0.0) + $0.1 }
    ) { $0.map(\.magnitude, \.nonzeroBitCount) },
    .init(
      "map, three key paths", .transparent, shown: "ValueForKeys", children: ["keyPath0", "keyPath1", "keyPath2"],
      outputs: ["(2, 1, \"2\")", "(3, 2, \"3\")"], number: { Int($0.0) + $0.1 + $0.2.count }
    ) { $0.map(\.magnitude, \.nonzeroBitCount, \.description) },
    .init("mapError", .transparent, shown: "MapError") { $0.mapError { $0 } },
    .init(ofNever: "setFailureType", .transparent, shown: "SetFailureType") {
      $0.setFailureType(to: TestError.self)
    },
    .init("replaceNil", .transparent, shown: "Map", outputs: ["2", "0"]) {
      $0.map { $0 == 3 ? nil : $0 }.replaceNil(with: 0)
    },
    .init("scan", .transparent, shown: "Scan", children: ["downstream", "result"], outputs: ["2", "5"]) {
      $0.scan(0, +)
    },
    .init("tryMap", .managed(.unchecked), shown: "TryMap", outputs: ["3", "4"], traits: [.throwing]) { upstream in
      upstream.tryMap {
        try upstream.check($0)
        return $0 + 1
      }
    },
    .init(
      "tryScan", .managed(.uncheckedEnd), shown: "TryScan", children: ["downstream", "status", "result"],
      outputs: ["2", "5"], traits: [.throwing]
    ) { upstream in
      upstream.tryScan(0) {
        try upstream.check($1)
        return $0 + $1
      }
    },
  ]
}
