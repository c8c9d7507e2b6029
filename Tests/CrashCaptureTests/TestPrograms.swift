// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// The programs of Programs/, each compiled once.
enum TestPrograms {
    private static let folder = Result { try TemporaryFolder() }
    private static let builtPlain = Result { try build("plain.c", compiler: "gcc", flags: ["-O1", "-pthread"]) }
    private static let builtHost = Result { try build("host.c", compiler: "gcc", flags: hostFlags()) }
    private static let builtEnds = Result { try build("ends.c", compiler: "gcc", flags: hostFlags()) }
    private static let builtStaticEnds = Result {
        try build("ends.c", as: "static-ends", compiler: "gcc", flags: hostFlags() + ["-static", "-w"])
    }
    private static let builtStaticHost = Result {
        try build("host.c", as: "static-host", compiler: "gcc", flags: hostFlags() + ["-static", "-w"])
    }
    private static let builtAccesses = Result { try build("accesses.c", compiler: "gcc", flags: ["-O1"]) }
    private static let builtThreads = Result { try build("threads.c", compiler: "gcc", flags: hostFlags()) }
    private static let builtStaticThreads = Result {
        try build("threads.c", as: "static-threads", compiler: "gcc", flags: hostFlags() + ["-static", "-w"])
    }
    private static let builtAddressSanitized = Result { try sanitized("address") }
    private static let builtThreadSanitized = Result { try sanitized("thread") }
    private static let builtSnapshots = Result { try build("snapshots.c", compiler: "gcc", flags: hostFlags()) }
    private static let builtUnnoticed = Result { try build("unnoticed.c", compiler: "gcc", flags: hostFlags()) }
    private static let builtStaticSnapshots = Result {
        try build("snapshots.c", as: "static-snapshots", compiler: "gcc", flags: hostFlags() + ["-static", "-w"])
    }
    private static let builtPreloadedSnapshots = Result {
        let library = try CaptureLibrary.shared()
        return try build(
            "snapshots.c", as: "preloaded-snapshots", compiler: "gcc",
            flags: ["-O1", "-DPRELOADED", "-I\(CaptureLibrary.sources)/include", library, "-pthread"])
    }
    private static let builtWatches = Result { try build("watches.c", compiler: "gcc", flags: hostFlags()) }
    private static let builtPointers = Result { try build("pointers.c", compiler: "gcc", flags: hostFlags()) }
    private static let builtStaticPointers = Result {
        try build(
            "pointers.c", as: "static-pointers", compiler: "gcc", flags: hostFlags() + ["-static", "-no-pie", "-w"])
    }
    private static let builtTasks = Result {
        let output = try folder.get().path + "/tasks"
        let source = BuildProducts.root + "/Tests/CrashCaptureTests/Programs/tasks.swift"
        try CompiledProgram.tool("swiftc", ["-O", "-g", source, "-o", output])
        return output
    }
    private static let builtInterrupted = Result { try build("interrupted.c", compiler: "gcc", flags: hostFlags()) }
    private static let builtLibrary = Result { try build("library.c", compiler: "gcc", flags: ["-shared", "-fPIC"]) }
    private static let builtRepairing = Result { try build("repairing.c", compiler: "gcc", flags: hostFlags()) }
    private static let builtMachine = Result { try build("machine.c", compiler: "gcc", flags: ["-O1", "-ldl"]) }
    private static let builtGoMachine = Result {
        try build("machine.c", as: "go-machine", compiler: "gcc", flags: ["-O1", "-DGO"])
    }
    private static let builtJava = Result { try build("java.c", compiler: "gcc", flags: ["-O1", "-ldl"]) }
    private static let builtJavaFirst = Result {
        try build("java.c", as: "java-first", compiler: "gcc", flags: hostFlags() + ["-DINSTALLS", "-ldl"])
    }
    private static let builtThrowing = Result {
        try build("throwing.cpp", compiler: "g++", flags: ["-O1", "-pthread"])
    }

    /// Knows nothing of Vaka.
    static func plain() throws -> String { try builtPlain.get() }
    /// Calls the library's functions; `host STORAGE WAY [ARGUMENT]`.
    static func host() throws -> String { try builtHost.get() }
    /// Ends without a crash; `ends STORAGE WAY`.
    static func ends() throws -> String { try builtEnds.get() }
    static func staticEnds() throws -> String { try builtStaticEnds.get() }
    /// The host without any shared library.
    static func staticHost() throws -> String { try builtStaticHost.get() }
    /// Makes threads; `threads STORAGE WAY [ARGUMENT]`.
    static func threads() throws -> String { try builtThreads.get() }
    static func staticThreads() throws -> String { try builtStaticThreads.get() }
    /// The same under a sanitizer.
    static func addressSanitizedThreads() throws -> String { try builtAddressSanitized.get() }
    static func threadSanitizedThreads() throws -> String { try builtThreadSanitized.get() }
    /// Takes snapshots of itself; `snapshots STORAGE WAY [ARGUMENT]`.
    static func snapshots() throws -> String { try builtSnapshots.get() }
    static func staticSnapshots() throws -> String { try builtStaticSnapshots.get() }
    /// Must not notice that snapshots are taken of it; `unnoticed STORAGE WAY [ARGUMENT]`.
    static func unnoticed() throws -> String { try builtUnnoticed.get() }
    static func unnoticed(sanitizer: String) throws -> String { try sanitized(sanitizer, "unnoticed.c") }
    /// The same with the library that installs itself.
    static func preloadedSnapshots() throws -> String { try builtPreloadedSnapshots.get() }
    /// Hangs, or not; `watches STORAGE WAY [BOUND]`.
    static func watches() throws -> String { try builtWatches.get() }
    /// Has texts in registers and on stacks; `pointers STORAGE WAY all|only|later`.
    static func pointers() throws -> String { try builtPointers.get() }
    /// The same at a fixed address below 4 GiB.
    static func staticPointers() throws -> String { try builtStaticPointers.get() }
    /// Swift tasks that work while snapshots are taken; `tasks COUNT`.
    static func tasks() throws -> String { try builtTasks.get() }
    /// Waits in many system calls; `interrupted STORAGE`.
    static func interrupted() throws -> String { try builtInterrupted.get() }
    /// Has a handler that repairs; `repairing STORAGE HOW COUNT END`.
    static func repairing() throws -> String { try builtRepairing.get() }
    /// Deals with signals as a Java virtual machine does.
    static func machine() throws -> String { try builtMachine.get() }
    /// The same, as Go's runtime does.
    static func goMachine() throws -> String { try builtGoMachine.get() }
    /// Starts a Java virtual machine, and knows nothing of Vaka; `java LIBJVM WAY`.
    static func java() throws -> String { try builtJava.get() }
    /// The same, and installs afterwards.
    static func javaFirst() throws -> String { try builtJavaFirst.get() }
    /// Touches a non-canonical address by the instruction that its argument names.
    static func accesses() throws -> String { try builtAccesses.get() }
    /// A shared library to load and unload.
    static func library() throws -> String { try builtLibrary.get() }
    /// Ends with an uncaught C++ exception.
    static func throwing() throws -> String { try builtThrowing.get() }

    private static func hostFlags() throws -> [String] {
        ["-O1", "-rdynamic", "-I\(CaptureLibrary.sources)/include", try CaptureLibrary.archive(), "-pthread"]
    }

    private static func sanitized(_ sanitizer: String, _ source: String = "threads.c") throws -> String {
        try build(
            source, as: sanitizer + "-" + source.dropLast(2), compiler: "gcc",
            flags: hostFlags() + ["-fsanitize=" + sanitizer])
    }

    private static func build(
        _ source: String, as name: String? = nil, compiler: String, flags: [String]
    ) throws -> String {
        let output = try folder.get().path + "/" + (name ?? String(source.prefix { $0 != "." }))
        let path = BuildProducts.root + "/Tests/CrashCaptureTests/Programs/" + source
        try CompiledProgram.tool(compiler, ["-g", "-fno-omit-frame-pointer", path, "-o", output] + flags)
        return output
    }
}
