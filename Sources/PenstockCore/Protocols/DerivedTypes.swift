// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An operator's type does not say `typealias Output = Upstream.Output`, because the compiler remembers through which
// alias it found a type, with the type that contains the alias. A `Publishers.Sequence<[Output], Failure>` after such
// an alias holds the types of all operators before it twice, and the next one holds those twice: fourteen `append(1)`,
// in statements of their own, took 40 seconds to check. The default of an associated type is found without an alias,
// and leaves none.

/// A publisher whose output and failure types, or one of them, are those of another publisher's type.
///
/// One protocol for both: each conformance is a table and two functions in the library.
@_documentation(visibility: internal)
public protocol _DerivedTypes: Publisher {
  associatedtype _Origin: Publisher
  associatedtype Output = _Origin.Output
  associatedtype Failure = _Origin.Failure
}
