// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if PENSTOCK_KIT_OVER_OPENCOMBINE
  // What the tests use of Apple's interface and OpenCombine 0.14.0 lacks, made of what it has.
  extension Publisher {
    /// Subscribes to both at once.
    public func merge<Other: Publisher>(with other: Other) -> AnyPublisher<Output, Failure>
    where Other.Output == Output, Other.Failure == Failure {
      [eraseToAnyPublisher(), other.eraseToAnyPublisher()].publisher.setFailureType(to: Failure.self)
        .flatMap { $0 }.eraseToAnyPublisher()
    }

    /// Combines the latest values of both.
    public func combineLatest<Other: Publisher, Result>(
      _ other: Other, _ transform: @escaping (Output, Other.Output) -> Result
    ) -> AnyPublisher<Result, Failure> where Other.Failure == Failure {
      map { ($0 as Output?, nil as Other.Output?) }.merge(with: other.map { (nil, $0) })
        .scan((nil, nil)) { ($1.0 ?? $0.0, $1.1 ?? $0.1) }
        .compactMap { (left: Output?, right: Other.Output?) in
          left.flatMap { left in right.map { transform(left, $0) } }
        }
        .eraseToAnyPublisher()
    }
  }
#endif

// Penstock's are Sendable, and tests make use of it. The others' may be used on any thread as well, but do not say so.
extension ImmediateScheduler: @retroactive @unchecked Sendable {}
extension PassthroughSubject: @retroactive @unchecked Sendable {}
extension CurrentValueSubject: @retroactive @unchecked Sendable {}
