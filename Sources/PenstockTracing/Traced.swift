// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  public import PenstockCore
  public import Tracing

  extension Publisher {
    /// Makes a span of each subscription, and makes the span's context current for code that runs in the stream.
    ///
    /// ```swift
    /// let tracer = InMemoryTracer()
    /// let cancellable = [1, 2].publisher.traced("import", tracer: tracer).sink { row in
    ///   tracer.withSpan("row \(row)") { _ in }
    /// }
    /// for span in tracer.finishedSpans { print(span.operationName, "in", span.parentSpanID ?? "no other") }
    /// // Prints "row 1 in span-1", "row 2 in span-1", "import in no other" on three lines.
    /// ```
    ///
    /// The stream itself is unchanged. The span begins when a subscriber subscribes, as a child of
    /// `ServiceContext.current` at that moment, and ends with the stream. At the end it has these attributes:
    ///
    /// - `penstock.end`: `finished`, `failed`, `cancelled`; `released` if everything was freed without an end.
    /// - `penstock.values`: how many values have passed; `penstock.requested`: how many were requested, or `unlimited`.
    /// - `penstock.attempt`: 2 for the first retry, and so on.
    ///
    /// A failure is recorded as an error, and the status is an error. A cancel is the event `penstock.cancel`. `retry`
    /// subscribes again, so each attempt is a span: with the same parent, the event `penstock.retry`, and a link to the
    /// span of the attempt that failed. A retry that waits before it subscribes is an independent span without such a
    /// link, since nothing leads from one thread to the other.
    ///
    /// In these places `ServiceContext.current` is the span's, so that `withSpan`, loggers and clients there belong to
    /// it:
    ///
    /// - downstream, for each value: in all closures that run before the stream changes its thread, such as those of
    ///   `map` and `sink`, whatever code sends the value, and in whatever context, even within the delivery of another
    ///   value. After `receive(on:)` it is not: put this operator after that one.
    /// - upstream, in all code that runs while the stream is subscribed to, asked for values, or cancelled: the
    ///   closures of `Deferred` and `Future` and the tasks that they start, and the code that a sequence runs for its
    ///   values. Code that a timer or another thread runs upstream does not see the span.
    ///
    /// Values that are delivered during the request for them share one binding; for any other value the context is
    /// bound separately. A completion is delivered after the end of the span, in the context of the subscription.
    ///
    /// **Demand:** passed on unchanged.
    ///
    /// **Completion:** forwarded, after the span has ended.
    ///
    /// **Failure:** forwarded, after the span has ended.
    ///
    /// **Concurrency:** adds no thread and no lock for a value. The tracer is called on the threads that subscribe, end the
    /// stream, and cancel.
    ///
    /// - Parameters:
    ///   - name: The name of the spans.
    ///   - kind: The kind of the spans.
    ///   - tracer: The tracer that makes the spans; by default that of the task, or of the process, at the
    ///     subscription.
    ///   - function: The function that the spans name.
    ///   - file: The file that the spans name.
    ///   - line: The line that the spans name.
    /// - Returns: A publisher of the same values.
    @inlinable @_disfavoredOverload
    public consuming func traced(
      _ name: String, ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil, function: String = #function,
      file: String = #fileID, line: UInt = #line
    ) -> Publishers.Lifted<Output, Failure> {
      Publishers.Lifted(
        TracedPublisher(
          upstream: self,
          origin: TraceOrigin(name: name, kind: kind, tracer: tracer, function: function, file: file, line: line)))
    }
  }

  @usableFromInline
  internal struct TracedPublisher<Upstream: Publisher>: Publisher {
    @usableFromInline internal typealias Output = Upstream.Output
    @usableFromInline internal typealias Failure = Upstream.Failure

    @usableFromInline internal let upstream: Upstream
    @usableFromInline internal let origin: TraceOrigin

    @inlinable
    internal init(upstream: Upstream, origin: TraceOrigin) {
      self.upstream = upstream
      self.origin = origin
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      let stage = TracedStage<Output, Failure>(scope: TraceScope(of: origin))
      stage.enclose { upstream.subscribe(ObservingSubscriber(stage, to: subscriber)) }
    }
  }

  /// The stage that puts what passes into the scope of a span.
  @frozen
  @usableFromInline
  internal struct TracedStage<Input, Failure: Error>: ObservingStage {
    @usableFromInline internal let scope: TraceScope

    @inlinable
    internal init(scope: TraceScope) { self.scope = scope }

    @inlinable
    internal static var name: String { "Traced" }

    @inlinable
    internal static var encloses: Bool { true }

    @inlinable
    internal func enclose(_ signal: () -> Void) { scope.run(signal) }

    @inlinable
    internal func observed(subscription: any Subscription) { scope.begin() }

    @inlinable
    internal func observed(value: Input) { scope.noteValue() }

    @inlinable
    internal func observed(completion: Subscribers.Completion<Failure>) {
      switch completion {
      case .finished: scope.end(.finished)
      case .failure(let error): scope.end(.failed, error)
      }
    }

    @inlinable
    internal func observed(request: Subscribers.Demand, isAnswer: Bool) { scope.note(request: request) }

    /// Upstream has been cancelled in the scope of the span.
    @inlinable
    internal func observedCancel() { scope.cancel() }
  }
#endif
