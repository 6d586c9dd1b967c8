// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  import InMemoryTracing
  import PenstockCore
  import PenstockTracing
  import TestSupport
  import Testing

  @Suite struct TracedContractTests {
    private static let spec = OperatorSpec("traced") { upstream in
      upstream.traced("numbers", tracer: InMemoryTracer()).eraseToAnyPublisher()
    }

    @Test(arguments: OperatorContract.Part.allCases)
    func `It keeps the contract of every operator`(_ part: OperatorContract.Part) { part.check(Self.spec) }
  }
#endif
