// swift-tools-version: 6.3

import PackageDescription

/// Penstock measured against OpenCombine.
///
/// The workloads are written once, in `Sources/Workloads`. Two targets see that folder through a symbolic link, and each
/// brings a file of its own that imports one of the libraries.
let package = Package(
  name: "penstock-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "penstock", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(name: "AllocationCounter"),
    .target(name: "BenchmarkKit", dependencies: ["AllocationCounter"]),
    .target(
      name: "PenstockWorkloads",
      dependencies: ["BenchmarkKit", .product(name: "Penstock", package: "penstock")]
    ),
    .target(
      name: "OpenCombineWorkloads",
      dependencies: [
        "BenchmarkKit",
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ]
    ),
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "BenchmarkKit", "PenstockWorkloads", "OpenCombineWorkloads",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
