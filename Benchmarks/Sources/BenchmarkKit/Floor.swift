// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// `map.filter.sink` on a sequence without a library: a loop that calls three closures, the last of which captures the
/// same box as a workload's.
///
/// The closures pass through ``opaque(_:)``, because the compiler would otherwise inline them.
@inline(never)
public func handWrittenLoop(_ count: Int) -> Int {
  let tally = Tally()
  let transform = opaque { (value: Int) in value &* 3 }
  let isIncluded = opaque { (value: Int) in value & 1 == 0 }
  let receive = opaque { (value: Int) in tally.add(value) }
  for value in 0..<count {
    let transformed = transform(value)
    if isIncluded(transformed) { receive(transformed) }
  }
  return tally.sum
}
