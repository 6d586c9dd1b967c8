// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  public import PenstockConcurrency
  public import PenstockCore
  public import Tracing

  extension SendablePublisher {
    /// Makes a span of each subscription, and makes the span's context current for code that runs in the stream.
    ///
    /// It works as `Publisher.traced(_:ofKind:tracer:function:file:line:)`, in a pipeline that is checked for data
    /// races.
    @inlinable @_disfavoredOverload
    public func traced(
      _ name: String, ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil, function: String = #function,
      file: String = #fileID, line: UInt = #line
    ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
      SendablePublisher<_>(
        unchecked: publisher.traced(
          name, ofKind: kind, tracer: tracer, function: function, file: file, line: line))
    }
  }
#endif
