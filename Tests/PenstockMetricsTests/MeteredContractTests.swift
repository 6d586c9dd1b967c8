// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  import CoreMetrics
  import PenstockCore
  import PenstockMetrics
  import TestSupport
  import Testing

  @Suite struct MeteredContractTests {
    private static let spec = OperatorSpec("metered") { upstream in
      upstream.metered("numbers", factory: NOOPMetricsHandler.instance).eraseToAnyPublisher()
    }

    @Test(arguments: OperatorContract.Part.allCases)
    func `It keeps the contract of every operator`(_ part: OperatorContract.Part) { part.check(Self.spec) }
  }
#endif
