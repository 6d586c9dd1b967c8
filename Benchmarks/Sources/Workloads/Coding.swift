// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let coding = [
  Workload("encode", "coding") { encodeInts($0) },
  Workload("decode", "coding") { decodeInts($0) },
]

/// Does almost nothing, so that the operators are measured.
private struct Coder: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> Int { MemoryLayout.size(ofValue: value) }

  func decode<T: Decodable>(_ type: T.Type, from input: Int) throws -> T {
    guard let value = input as? T else { throw Unexpected() }
    return value
  }
}

@inline(never)
private func encodeInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).encode(encoder: Coder()).sink(
    receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func decodeInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).decode(type: Int.self, decoder: Coder()).sink(
    receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
  return withExtendedLifetime(cancellable) { tally.sum }
}
