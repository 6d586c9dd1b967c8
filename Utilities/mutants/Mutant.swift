// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `Utilities/mutants/run` puts this file into its copy of PenstockCore.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The number of the mistake that this process makes; 0 for none.
@usableFromInline
package let mutantNumber: Int = getenv("PENSTOCK_MUTANT").map { Int(atol($0)) } ?? 0

/// Whether this process makes a mistake.
@usableFromInline
package func isMutant(_ number: Int) -> Bool {
  if number != mutantNumber { return false }
  _ = mutantIsReached
  return true
}

/// Tells the script, with an empty file, that a test has reached the mistake: without that no test could notice it.
private let mutantIsReached: Void = {
  guard let path = getenv("PENSTOCK_MUTANT_REACHED"), let file = fopen(path, "w") else { return }
  fclose(file)
}()
