// swift-tools-version: 6.2

import PackageDescription

// Which of Penstock's products the program and the two libraries link; see Utilities/dynamic/check.
let penstock = Context.environment["PENSTOCK_STATIC_COPIES"] == nil ? "PenstockDynamic" : "Penstock"

/// A program with two dynamic libraries, each from its own package, that both use Penstock.
let package = Package(
  name: "penstock-house",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "penstock", path: "../.."),
    .package(path: "Thermometer"),
    .package(path: "Thermostat"),
  ],
  targets: [
    .executableTarget(
      name: "House",
      dependencies: [
        .product(name: penstock, package: "penstock"),
        .product(name: "Thermometer", package: "thermometer"),
        .product(name: "Thermostat", package: "thermostat"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
