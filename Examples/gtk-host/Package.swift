// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "gtk-host",
    dependencies: [.package(name: "vaka", path: "../..")],
    targets: [
        .systemLibrary(name: "CGtk", path: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .executableTarget(
            name: "gtk-host",
            dependencies: [
                "CGtk", .product(name: "Vaka", package: "vaka"), .product(name: "VakaObservation", package: "vaka"),
                .product(name: "VakaRecording", package: "vaka"),
            ],
            linkerSettings: [.unsafeFlags(["-Xlinker", "--build-id"])]),
    ]
)
