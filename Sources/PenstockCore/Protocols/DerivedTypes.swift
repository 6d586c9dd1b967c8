// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Why an operator's type does not say `typealias Output = Upstream.Output`: the compiler remembers by which alias it came to
// a type, with the type that the alias is in. A `Publishers.Sequence<[Output], Failure>` behind such an alias holds the
// types of all operators before it twice, and one behind that holds those twice: fourteen `append(1)`, in statements of
// their own, took 40 seconds to check. The default of an associated type is found without an alias, and leaves none.

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
