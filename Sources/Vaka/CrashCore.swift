// SPDX-License-Identifier: Apache-2.0
import CVakaCrash
import Delivery
import Glibc
import VakaModel

/// The capture core in C: the handlers, and the run file that outlives a crash. Thread-safe.
struct CrashCore: Sendable {
    enum Scope {
        case user, tag, session, sdk, attachment

        fileprivate var raw: vaka_crash_scope {
            switch self {
            case .user: VAKA_CRASH_USER
            case .tag: VAKA_CRASH_TAG
            case .session: VAKA_CRASH_SESSION
            case .sdk: VAKA_CRASH_SDK
            case .attachment: VAKA_CRASH_ATTACHMENT
            }
        }
    }

    static let sdk = SDKInfo(name: "vaka-swift", version: Vaka.version)

    let log: DebugLog

    /// Nil where the handlers could not be installed: then crashes are lost, and the rest works.
    init?(folder: StorageFolder, options: Vaka.Options, log: DebugLog) {
        self.log = log
        let status = Self.install(folder.path, options)
        guard status == 0 else {
            DebugLog.say("Vaka does not catch crashes: \(String(cString: vaka_crash_last_error()))")
            return nil
        }
        set(.sdk, "name", Self.sdk.name)
        set(.sdk, "version", Self.sdk.version)
    }

    private static func install(_ storage: String, _ options: Vaka.Options) -> Int32 {
        storage.withCString { storage in
            (options.release ?? "").withCString { release in
                options.environment.withCString { environment in
                    var config = vaka_crash_config()
                    config.size = MemoryLayout<vaka_crash_config>.size
                    config.storage = storage
                    config.release = options.release == nil ? nil : release
                    config.environment = environment
                    config.flags = flags(options)
                    return vaka_crash_install(&config)
                }
            }
        }
    }

    private static func flags(_ options: Vaka.Options) -> UInt32 {
        (options.debug ? VAKA_CRASH_DEBUG : 0)
            | (options.stackMemory ? 0 : VAKA_CRASH_NO_STACK)
            | (options.registerMemory ? VAKA_CRASH_REGISTER_MEMORY : 0)
            | (options.memoryPointersOnly ? VAKA_CRASH_POINTERS_ONLY : 0)
            | (options.threadSignalStacks ? 0 : VAKA_CRASH_NO_THREAD_STACKS)
            | (options.endSignals ? 0 : VAKA_CRASH_NO_END_SIGNALS)
    }

    /// No crash of this process takes texts along that lie in its memory, from now on; whether or not crashes are caught yet.
    static func keepPointersOnly() {
        vaka_crash_keep_pointers_only(VAKA_CRASH_FOR_GOOD)
    }

    /// The id of this run's files.
    var runID: String { String(cString: vaka_crash_run_id()) }

    /// Nil takes the value away. False where it does not travel with a crash.
    @discardableResult
    func set(_ scope: Scope, _ key: String, _ value: String?) -> Bool {
        let status = vaka_crash_set_context(scope.raw, key, value)
        if status != 0 { log("\(key) does not travel with a crash: \(String(cString: strerror(status)))") }
        return status == 0
    }

    func clear(_ scope: Scope) {
        _ = vaka_crash_clear_context(scope.raw)
    }

    func add(_ breadcrumb: Breadcrumb) {
        let level: vaka_crash_level =
            switch breadcrumb.level {
            case .debug: VAKA_CRASH_LEVEL_DEBUG
            case .warning: VAKA_CRASH_LEVEL_WARNING
            case .error: VAKA_CRASH_LEVEL_ERROR
            case .fatal: VAKA_CRASH_LEVEL_FATAL
            default: VAKA_CRASH_LEVEL_INFO
            }
        let data = breadcrumb.data.isEmpty ? nil : try? ModelCoding.encode(breadcrumb.data)
        let text = data.map { String(decoding: $0, as: UTF8.self) }
        vaka_crash_add_breadcrumb(level, breadcrumb.category, breadcrumb.message, text)
    }

    /// Nil empties the slot. Not for one slot by two threads at once.
    func set(exchange json: [UInt8]?, slot: Int, order: UInt64) {
        guard let json else {
            _ = vaka_crash_set_exchange(UInt32(slot), order, nil, 0)
            return
        }
        json.withUnsafeBytes { bytes in
            _ = vaka_crash_set_exchange(
                UInt32(slot), order, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
    }

    /// Keeps what every thread does as a record in `crashes/`. False where that was not done; the log says why.
    @inline(never)
    func snapshot(_ message: String?) -> Bool {
        let status = vaka_crash_snapshot(message, nil)
        if status != 0 { log("no snapshot was taken: \(String(cString: strerror(status)))") }
        return status == 0
    }

    /// The program lives: its memory figures go into the run file, unless they did within the last second.
    func noteAlive() {
        vaka_crash_note_alive()
    }

    /// Crashes are no longer caught, and the run has ended as it should. The context and the breadcrumbs are gone.
    func uninstall() {
        vaka_crash_uninstall()
    }

    /// The run ended as it should.
    func endRun() {
        vaka_crash_end_run()
    }
}
