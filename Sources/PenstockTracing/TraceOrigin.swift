// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  public import Tracing

  /// The data that the spans of a publisher have in common; its identity distinguishes a retry from another stream.
  @usableFromInline
  internal final class TraceOrigin: Sendable {
    private let name: String
    private let kind: SpanKind
    private let tracer: (any Tracer)?
    private let function: String
    private let file: String
    private let line: UInt

    @usableFromInline
    internal init(name: String, kind: SpanKind, tracer: (any Tracer)?, function: String, file: String, line: UInt) {
      self.name = name
      self.kind = kind
      self.tracer = tracer
      self.function = function
      self.file = file
      self.line = line
    }

    internal func startSpan(in context: ServiceContext?) -> any Span {
      (tracer ?? InstrumentationSystem.tracer).startSpan(
        name, context: context ?? .topLevel, ofKind: kind, function: function, file: file, line: line)
    }
  }
#endif
