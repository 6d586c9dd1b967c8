// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// `compare` builds these workloads on older revisions, too, which have fewer modules.
let laterModules = ["PenstockInspector", "PenstockKit"].filter {
  FileManager.default.fileExists(atPath: Context.packageDirectory + "/../Sources/\($0)")
}.map { Target.Dependency.product(name: $0, package: "penstock") }

/// Penstock measured against OpenCombine, and against itself at another revision.
///
/// The workloads are written once, in `Sources/Workloads`. Two targets contain that folder through a symbolic link, and
/// each adds a file of its own that imports one of the libraries.
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
      // The build system considers only direct dependencies when it decides what is out of date, so the modules that
      // `Penstock` re-exports are named as well: code inlined from an older library would crash.
      dependencies: ["BenchmarkKit"]
        + ["Penstock", "PenstockCore", "PenstockOperators", "PenstockConcurrency"].map {
          .product(name: $0, package: "penstock")
        }
    ),
    .target(
      name: "OpenCombineWorkloads",
      dependencies: ["BenchmarkKit"]
        + ["OpenCombine", "OpenCombineDispatch"].map { .product(name: $0, package: "OpenCombine") }
    ),
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "BenchmarkKit", "PenstockWorkloads", "OpenCombineWorkloads",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Penstock", package: "penstock"),
        .product(name: "PenstockConcurrency", package: "penstock"),
      ] + laterModules
    ),
    // One side of `compare`: it must build quickly, and against older revisions of the library.
    .executableTarget(name: "measure", dependencies: ["BenchmarkKit", "PenstockWorkloads"]),
    // The verification kit's sources, through a link, over OpenCombine: it uses only the public interface of Combine.
    .target(
      name: "OpenCombineTesting", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: [
        .define("PENSTOCK_KIT_OVER_OPENCOMBINE"), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"), .swiftLanguageMode(.v5),
      ]
    ),
    .target(name: "VerifiedRow"),
    .target(
      name: "OpenCombineVerified", dependencies: ["OpenCombineTesting", "VerifiedRow"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "PenstockVerified",
      dependencies: ["VerifiedRow"]
        + ["PenstockCore", "PenstockTesting"].map { .product(name: $0, package: "penstock") },
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "verify",
      dependencies: [
        "OpenCombineVerified", "PenstockVerified", "VerifiedRow",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
