// swift-tools-version: 6.2

import PackageDescription

// Operators of a client's, made with the kit: what is public is all that is used. The operators are those of the page
// *Writing an operator that keeps the rules*.
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
