// swift-tools-version: 6.2

import PackageDescription

// A client's operators, made with the kit: they use only what is public. The operators are those of the page *Writing
// an operator that keeps the rules*.
let package = Package(
  name: "own-operators",
  platforms: [.macOS(.v15)],
  products: [.library(name: "OwnOperators", targets: ["OwnOperators"])],
  dependencies: [.package(name: "penstock", path: "../..")],
  targets: [
    .target(name: "OwnOperators", dependencies: [.product(name: "PenstockKit", package: "penstock")]),
    .testTarget(
      name: "OwnOperatorsTests",
      dependencies: [
        "OwnOperators", .product(name: "PenstockKit", package: "penstock"),
        .product(name: "PenstockTesting", package: "penstock"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
