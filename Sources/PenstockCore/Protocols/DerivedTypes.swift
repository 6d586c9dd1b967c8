// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// An operator's type does not say `typealias Output = Upstream.Output`, because the compiler remembers through which
// alias it found a type, with the type that contains the alias. A `Publishers.Sequence<[Output], Failure>` after such
// an alias holds the types of all operators before it twice, and the next one holds those twice: fourteen `append(1)`,
// in statements of their own, took 40 seconds to check. The default of an associated type is found without an alias,
// and leaves none.

/// A publisher whose output type is that of another publisher's type.
@_documentation(visibility: internal)
public protocol _DerivedOutput: Publisher {
  associatedtype _OutputOrigin: Publisher
  associatedtype Output = _OutputOrigin.Output
}

/// A publisher whose failure type is that of another publisher's type.
@_documentation(visibility: internal)
public protocol _DerivedFailure: Publisher {
  associatedtype _FailureOrigin: Publisher
  associatedtype Failure = _FailureOrigin.Failure
}

/// A publisher whose output and failure types are those of other publishers' types.
@_documentation(visibility: internal)
public typealias _DerivedTypes = _DerivedFailure & _DerivedOutput
