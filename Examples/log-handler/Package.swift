// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "log-handler",
    dependencies: [.package(name: "vaka", path: "../..")],
    targets: [
        // Stands for the logging package, by its shape; a program of your own depends on the real one.
        .target(name: "Logging"),
        .target(name: "VakaLogging", dependencies: ["Logging", .product(name: "Vaka", package: "vaka")]),
        .executableTarget(
            name: "logged", dependencies: ["Logging", "VakaLogging", .product(name: "Vaka", package: "vaka")]),
    ]
)
