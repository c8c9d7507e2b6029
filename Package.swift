// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// `make fuzz` sets it: every module is built with coverage, and the fuzz targets are there.
let isFuzzing = Context.environment["VAKA_FUZZ"] != nil

let swiftSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])] : [])

func module(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)", swiftSettings: swiftSettings)
}

func system(_ name: String, pkgConfig: String, debian: [String]) -> Target {
    .systemLibrary(name: name, path: "CSupport/\(name)", pkgConfig: pkgConfig, providers: [.apt(debian)])
}

let package = Package(
    name: "vaka",
    products: [
        .library(name: "Vaka", targets: ["Vaka"]),
        .library(name: "VakaObservation", targets: ["VakaObservation"]),
        .library(name: "VakaRecording", targets: ["VakaRecording"]),
        .library(name: "ObservationClient", targets: ["ObservationClient"]),
        .library(name: "VakaNetwork", targets: ["VakaNetwork"]),
        .executable(name: "vaka", targets: ["vaka-command"]),
        .executable(name: "vaka-server", targets: ["vaka-server"]),
    ],
    targets: [
        // C: the record's layout, the capture core, the system's libraries.
        .target(name: "CVakaRecord", path: "CSupport/CVakaRecord"),
        // preload.c is for the shared library only, which CSupport/CVakaCrash/Makefile builds.
        .target(
            name: "CVakaCrash", dependencies: ["CVakaRecord"], path: "CSupport/CVakaCrash",
            exclude: ["preload.c", "Makefile", "check-signal-safety.sh", "async/allowed-symbols.txt"],
            cSettings: [.define("_GNU_SOURCE"), .headerSearchPath(".")]),
        .systemLibrary(name: "CGetopt", path: "CSupport/CGetopt"),
        system("CCapstone", pkgConfig: "capstone", debian: ["libcapstone-dev"]),
        system("CDeflate", pkgConfig: "libdeflate", debian: ["libdeflate-dev"]),
        system("CElfutils", pkgConfig: "libdw", debian: ["libdw-dev", "libelf-dev"]),
        system("CLzma", pkgConfig: "liblzma", debian: ["liblzma-dev"]),
        system("CMessageDigest", pkgConfig: "libmd", debian: ["libmd-dev"]),
        system("CMicroHTTPD", pkgConfig: "libmicrohttpd", debian: ["libmicrohttpd-dev"]),
        system("CMinizip", pkgConfig: "minizip", debian: ["libminizip-dev"]),
        system("CPostgres", pkgConfig: "libpq", debian: ["libpq-dev"]),
        system("CSQLite", pkgConfig: "sqlite3", debian: ["libsqlite3-dev"]),
        system("CSodium", pkgConfig: "libsodium", debian: ["libsodium-dev"]),
        system("CZlib", pkgConfig: "zlib", debian: ["zlib1g-dev"]),
        system("CZstd", pkgConfig: "libzstd", debian: ["libzstd-dev"]),
        .target(name: "CCurl", path: "CSupport/CCurl"),
        .target(name: "CArguments", path: "CSupport/CArguments"),
        .systemLibrary(name: "CLinux", path: "CSupport/CLinux"),
        // Certificates for libmicrohttpd, which is built on GnuTLS.
        .target(name: "CTLS", path: "CSupport/CTLS", linkerSettings: [.linkedLibrary("gnutls")]),
        .target(name: "CVakaHost", path: "CSupport/CVakaHost"),
        .target(name: "CVakaDigest", path: "CSupport/CVakaDigest"),
        .target(name: "CVakaScan", path: "CSupport/CVakaScan"),
        .target(
            name: "CDemangle", path: "CSupport/CDemangle", linkerSettings: [.linkedLibrary("supc++")]),

        // DWARF and symbol tables to symbol caches, and lookups in those.
        .target(
            name: "CVakaSymbols", path: "CSupport/CVakaSymbols", cSettings: [.define("_GNU_SOURCE")],
            linkerSettings: [.linkedLibrary("z"), .linkedLibrary("pthread")]),

        // Values and records.
        module("VakaModel"),
        module("CrashRecord", ["CVakaRecord", "VakaModel"]),

        // The queue on disk and the rules of delivery, for the SDK and for the command.
        .target(name: "CLoadedZstd", path: "CSupport/CLoadedZstd"),
        module("Delivery", ["CLoadedZstd", "CVakaDigest", "CVakaRecord", "CrashRecord", "CZlib", "VakaModel"]),

        // What an instruction did with memory: compiles the handler's decoder, which is outside of its folder.
        .target(name: "CInstruction", path: "CSupport/CInstruction"),
        module("CoreFile", ["CElfutils", "CInstruction", "CrashRecord", "VakaModel"]),

        module("HTTPClient", ["CCurl", "Delivery"]),

        // The SDK.
        module("Vaka", ["CVakaCrash", "CVakaHost", "CrashRecord", "Delivery", "HTTPClient", "VakaModel"]),

        // What is on a program's screen, for those that look at it and drive it.
        module("VakaObservation", ["CLinux", "VakaModel"], resources: [.embedInCode("Web/page.js")]),
        module("VakaRecording", ["Delivery", "Vaka", "VakaModel", "VakaObservation"]),
        module("ObservationClient", ["CLinux", "VakaModel"]),
        // Exchanges with other services, recorded: the one part of the SDK that links Foundation.
        module("VakaNetwork", ["Vaka", "VakaModel"]),

        // From addresses to lines.
        module("DebugImages", ["CDeflate", "CElfutils", "CLinux", "CLzma", "CZlib", "CZstd", "VakaModel"]),
        module("Unwinding", ["DebugImages", "CElfutils", "VakaModel"]),
        module(
            "CoreCollector",
            [
                "CDemangle", "CElfutils", "CLinux", "CVakaRecord", "CoreFile", "CrashRecord", "Delivery", "Unwinding",
                "VakaModel",
            ]),
        module("SourceBundles", ["CMessageDigest", "CMinizip", "DebugImages", "VakaModel"]),
        module(
            "Symbolication",
            ["CDemangle", "CElfutils", "CVakaSymbols", "DebugImages", "SourceBundles", "Unwinding", "VakaModel"]),
        module("Grouping", ["CVakaDigest", "VakaModel"]),
        module("Disassembly", ["CCapstone", "VakaModel"]),

        // Events, written out for people.
        module("EventText", ["DebugImages", "VakaModel"]),

        // JSON, looked through in one pass.
        module("JSONScan", ["CVakaScan"]),

        // Secrets, taken out of what is stored.
        module("Privacy", ["JSONScan"]),

        // The service and its client.
        module("BlobStore", ["CCurl", "CSodium", "DebugImages", "VakaModel"]),
        module("EventStore", ["CDeflate", "CPostgres", "CSQLite", "VakaModel"]),
        module("Alerts", ["CCurl", "CSodium", "EventStore", "VakaModel"]),
        module(
            "IngestService",
            [
                "Alerts", "BlobStore", "CDeflate", "CLinux", "CMicroHTTPD", "CSodium", "CTLS", "CZlib", "CZstd",
                "CoreFile", "DebugImages", "Debuginfod", "Disassembly", "EventStore", "EventText", "Grouping",
                "JSONScan", "Privacy", "SourceBundles", "Symbolication", "VakaModel",
            ],
            // The page's script.
            resources: ["times", "copy", "poll", "live", "keys", "forms", "first", "replay"].map {
                .embedInCode("Page/Script/\($0).js")
            }),
        module(
            "Backups",
            ["BlobStore", "CSodium", "DebugImages", "EventStore", "IngestService", "SourceBundles", "VakaModel"]),
        module("Debuginfod", ["CCurl", "DebugImages", "VakaModel"]),
        module("ServiceClient", ["CLinux", "Delivery", "HTTPClient", "VakaModel"]),

        // A program under the eyes of another.
        module("Supervision", ["CLinux", "CrashRecord", "Delivery", "VakaModel"]),

        // What a machine or container lets a capture do.
        .target(name: "CDoctor", path: "CSupport/CDoctor", cSettings: [.define("_GNU_SOURCE")]),
        module("Doctor", ["CDoctor", "CLinux", "CVakaRecord", "CrashRecord", "Supervision", "VakaModel"]),

        .executableTarget(
            name: "vaka-command",
            dependencies: [
                "CArguments", "CGetopt", "CLinux", "CoreCollector", "CoreFile", "CrashRecord", "DebugImages",
                "Debuginfod", "Delivery", "Doctor", "EventText",
                "Grouping", "ObservationClient", "ServiceClient", "SourceBundles", "Supervision", "Symbolication",
                "VakaModel",
            ],
            path: "Sources/vaka", swiftSettings: swiftSettings),
        .executableTarget(
            name: "vaka-server",
            dependencies: ["Alerts", "Backups", "BlobStore", "Debuginfod", "EventStore", "IngestService"],
            path: "Sources/vaka-server", swiftSettings: swiftSettings),

        // Tests.
        .target(
            name: "TestSupport", dependencies: ["CPostgres", "CVakaRecord", "VakaModel"], path: "Tests/TestSupport",
            swiftSettings: swiftSettings),
        tests("VakaModelTests", ["VakaModel"]),
        tests("CrashRecordTests", ["CrashRecord", "CVakaRecord", "VakaModel"]),
        .testTarget(
            name: "CrashCaptureTests",
            dependencies: ["CrashRecord", "CVakaRecord", "DebugImages", "Symbolication", "VakaModel", "TestSupport"],
            path: "Tests/CrashCaptureTests", exclude: ["Programs"], swiftSettings: swiftSettings),
        .executableTarget(
            name: "sdk-test-program", dependencies: ["Vaka"], path: "Tests/Programs/sdk-test-program",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "recording-test-program", dependencies: ["Vaka", "VakaModel", "VakaObservation", "VakaRecording"],
            path: "Tests/Programs/recording-test-program", swiftSettings: swiftSettings),
        .executableTarget(
            name: "crashing-server", path: "Tests/Programs/crashing-server", swiftSettings: swiftSettings),
        tests(
            "VakaTests",
            ["CVakaRecord", "Vaka", "CrashRecord", "Delivery", "HTTPClient", "VakaModel", "sdk-test-program"]),
        tests("VakaObservationTests", ["CLinux", "ObservationClient", "VakaModel", "VakaObservation"]),
        .executableTarget(
            name: "network-test-program", dependencies: ["Vaka", "VakaNetwork", "VakaModel"],
            path: "Tests/Programs/network-test-program", swiftSettings: swiftSettings),
        tests(
            "VakaNetworkTests",
            ["CrashRecord", "CVakaRecord", "Delivery", "Vaka", "VakaNetwork", "VakaModel", "network-test-program"]),
        tests(
            "VakaRecordingTests",
            [
                "CrashRecord", "DebugImages", "Delivery", "Symbolication", "Unwinding", "Vaka", "VakaModel",
                "VakaObservation",
                "VakaRecording", "recording-test-program",
            ]),
        tests("DebugImagesTests", ["DebugImages", "VakaModel"]),
        tests("UnwindingTests", ["CElfutils", "CrashRecord", "Unwinding", "DebugImages", "VakaModel"]),
        tests("SymbolicationTests", ["CrashRecord", "Symbolication", "DebugImages", "Unwinding", "VakaModel"]),
        tests("SourceBundlesTests", ["CMinizip", "SourceBundles", "VakaModel"]),
        tests("GroupingTests", ["CrashRecord", "DebugImages", "Grouping", "Symbolication", "VakaModel"]),
        tests("JSONScanTests", ["JSONScan", "VakaModel"]),
        tests("PrivacyTests", ["Privacy", "VakaModel"]),
        tests("EventStoreTests", ["EventStore", "VakaModel"]),
        tests(
            "IngestServiceTests",
            [
                "CVakaDigest", "Delivery", "IngestService", "EventStore", "EventText", "HTTPClient", "Privacy",
                "ServiceClient",
                "VakaModel",
            ]),
        tests("DisassemblyTests", ["Disassembly", "VakaModel"]),
        tests("BlobStoreTests", ["BlobStore", "VakaModel"]),
        tests("BackupsTests", ["VakaModel"]),
        tests("DeliveryTests", ["CVakaDigest", "CVakaRecord", "CrashRecord", "Delivery", "VakaModel"]),
        tests("DebuginfodTests", ["Debuginfod", "DebugImages", "VakaModel"]),
        tests("ServiceClientTests", ["ServiceClient", "Delivery", "HTTPClient", "VakaModel"]),
        tests("SupervisionTests", ["Supervision", "Delivery", "VakaModel"]),
        tests("CoreFileTests", ["CElfutils", "CoreFile", "VakaModel"]),
        tests("CoreCollectorTests", ["CElfutils", "CrashRecord", "VakaModel"]),
        tests("CommandTests", ["VakaModel"]),
        tests(
            "EndToEndTests",
            [
                "CrashRecord", "DebugImages", "Symbolication", "Unwinding", "VakaModel", "crashing-server",
                "sdk-test-program",
            ]),

        // What both the fuzz targets and the tests of their past findings run.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CLinux", "CMinizip", "CVakaRecord", "CoreCollector", "CoreFile", "CrashRecord", "DebugImages",
                "Delivery", "EventStore", "Grouping", "IngestService", "JSONScan", "Privacy", "ObservationClient",
                "SourceBundles", "Symbolication", "VakaModel", "VakaObservation",
            ],
            path: "Fuzz/Targets", swiftSettings: swiftSettings),
        .executableTarget(
            name: "image-probe", dependencies: ["FuzzTargets", "TestSupport"], path: "Tests/Programs/image-probe",
            swiftSettings: swiftSettings),
        tests("FuzzFixtureTests", ["FuzzTargets", "image-probe"]),
    ]
)

if isFuzzing {
    let extern: [SwiftSetting] = [.enableExperimentalFeature("Extern")]
    package.targets.append(.target(name: "FuzzDriver", path: "Fuzz/Driver", swiftSettings: swiftSettings + extern))
    // They replace main with libFuzzer's.
    for name in [
        "BatchFuzz", "CoreFileFuzz", "CrashRecordFuzz", "DemangleFuzz", "DocumentFuzz", "ElfFuzz", "EventFuzz",
        "JournalFuzz", "NetworkFuzz", "ObservationFuzz", "RecordingFuzz", "SourceBundleFuzz",
        "SymbolCacheFuzz",
    ] {
        package.targets.append(
            .executableTarget(
                name: name, dependencies: ["FuzzDriver", "FuzzTargets"], path: "Fuzz/\(name)",
                swiftSettings: swiftSettings, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]))
    }
}

/// `make bench` sets it.
if Context.environment["VAKA_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "stack-bench", dependencies: ["CrashRecord", "DebugImages", "Symbolication", "VakaModel"],
            path: "Benchmarks/stack/Sources", swiftSettings: swiftSettings))
    package.targets.append(
        .executableTarget(
            name: "scrub-bench", dependencies: ["Privacy", "VakaModel"], path: "Benchmarks/scrub/Sources",
            swiftSettings: swiftSettings))
    package.targets.append(
        .executableTarget(
            name: "recording-bench",
            dependencies: ["Delivery", "TestSupport", "Vaka", "VakaModel", "VakaObservation", "VakaRecording"],
            path: "Benchmarks/recording/Sources", swiftSettings: swiftSettings))
    package.targets.append(
        .executableTarget(
            name: "store-fill", dependencies: ["EventStore", "Grouping", "IngestService", "VakaModel"],
            path: "Benchmarks/service-store/Sources", swiftSettings: swiftSettings))
}

/// `make tsan` sets it.
if Context.environment["VAKA_TSAN"] != nil {
    package.targets.append(.target(name: "CMutexObserver", path: "Tests/MutexObserver"))
    for target in package.targets
    where ["sdk-test-program", "VakaTests", "network-test-program", "VakaNetworkTests"].contains(target.name) {
        target.dependencies.append("CMutexObserver")
    }
}
