// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What a child process may use that reads strangers' files: processor time for each file anew, and memory.
struct ReadingLimits: Sendable {
    private(set) var seconds = 10
    private(set) var mebibytes = 1024
    /// Where nobody set them, a large file is granted more.
    private var bytesPerSecond: Int64? = 2 << 20
    private var memoryPerByte: UInt64 = 8

    /// `VAKA_READ_SECONDS` and `VAKA_READ_MEMORY` (MiB) set them for files of every size; nil when either is 0: no limits.
    static func fromEnvironment() throws -> ReadingLimits? {
        var limits = ReadingLimits()
        if let seconds = try number("VAKA_READ_SECONDS") { (limits.seconds, limits.bytesPerSecond) = (seconds, nil) }
        if let mebibytes = try number("VAKA_READ_MEMORY") { (limits.mebibytes, limits.memoryPerByte) = (mebibytes, 0) }
        return limits.seconds == 0 || limits.mebibytes == 0 ? nil : limits
    }

    /// For messages.
    var time: String { "\(seconds) s" + (bytesPerSecond == nil ? "" : " and more by its size") }
    var memory: String { "\(mebibytes) MiB" + (memoryPerByte == 0 ? "" : " and more by its size") }

    private static func number(_ name: String) throws -> Int? {
        guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
        guard let number = Int(text), (0...1 << 24).contains(number) else {
            throw UsageError("\(name) is a number from 0 to \(1 << 24), not \"\(text)\"")
        }
        return number
    }

    /// In the child, before anything is read.
    func begin() {
        // 1 and not 0: with a pipe as core_pattern, that is what keeps the kernel from collecting a core.
        Self.set(RLIMIT_CORE, 1)
        Self.set(RLIMIT_DATA, rlim_t(mebibytes) << 20)
        renewTime()
    }

    /// In the child, before a file is read.
    func grant(for path: String) {
        var status = stat()
        let size = stat(path, &status) == 0 ? max(0, Int64(status.st_size)) : 0
        let wanted = rlim_t(mebibytes) << 20 + rlim_t(UInt64(size) &* memoryPerByte)
        if wanted > Self.current(RLIMIT_DATA) { Self.set(RLIMIT_DATA, wanted) }
        renewTime(bytes: size)
    }

    /// In the child, when it got on with its work.
    func renewTime(bytes: Int64 = 0) {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        Self.set(RLIMIT_CPU, rlim_t(used + seconds + 1 + Int(bytesPerSecond.map { bytes / $0 } ?? 0)))
    }

    private static func current(_ resource: __rlimit_resource) -> rlim_t {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        return limit.rlim_cur
    }

    /// Sets what can be raised again; a lower limit of the user's own stays.
    private static func set(_ resource: __rlimit_resource, _ value: rlim_t) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        limit.rlim_cur = min(value, limit.rlim_max)
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
