// swift-tools-version: 6.2

import PackageDescription

func penstock(_ product: String) -> Target.Dependency { .product(name: product, package: "penstock") }

/// Measures `metered` and `traced`.
///
/// It is a package of its own, since both are behind traits, and no other benchmark resolves swift-metrics or
/// swift-distributed-tracing.
let package = Package(
  name: "penstock-observing-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "penstock", path: "../..", traits: ["Metrics", "Tracing"]),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  ],
  targets: [
    .executableTarget(
      name: "observing",
      dependencies: [
        penstock("Penstock"), penstock("PenstockMetrics"), penstock("PenstockTracing"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
