// SPDX-License-Identifier: Apache-2.0
import CVakaCrash

extension CrashCore {
    /// A hang that was noticed, or that is over.
    struct Hang: Sendable {
        let watch: String
        /// Of the record; nil where none could be taken.
        let eventID: String?
        /// For how long it did not go on so far, or in all.
        let seconds: Double
        let isOver: Bool

        fileprivate init(_ hang: vaka_crash_hang) {
            watch = String(cString: hang.watch)
            eventID = hang.id[0] == 0 ? nil : String(cString: hang.id)
            seconds = Double(hang.stuck_ms) / 1000
            isOver = hang.is_over != 0
        }
    }

    /// Has each hang told to the client that runs, on a thread that must not wait.
    func tellHangs() {
        vaka_crash_on_hang(
            { _, hang in
                guard let hang else { return }
                Runtime.client?.tell(Hang(hang.pointee))
            }, nil)
    }

    /// Nil where nothing more can be watched; the log says why.
    func watch(_ name: String, bound: Duration, ping: @escaping Vaka.Watch.Ping) -> Vaka.Watch.Handle? {
        let box = Unmanaged.passRetained(Vaka.Watch.Box(ping))
        let milliseconds = bound / .milliseconds(1)
        let handle: OpaquePointer? = name.withCString { name in
            var config = vaka_crash_watch_config()
            config.size = MemoryLayout<vaka_crash_watch_config>.size
            config.name = name
            config.bound_ms = UInt32(min(max(milliseconds, 1), 86_400_000))
            config.context = box.toOpaque()
            config.ping = { context, watch, number in
                guard let context, let watch else { return }
                let answer = Vaka.Watch.Answer(watch: watch, number: number)
                Unmanaged<Vaka.Watch.Box>.fromOpaque(context).takeUnretainedValue().ping { answer() }
            }
            return vaka_crash_watch_start(&config)
        }
        guard let handle else {
            box.release()
            log(String(cString: vaka_crash_last_error()))
            return nil
        }
        return Vaka.Watch.Handle(watch: handle, box: box)
    }

    func endWatching() {
        vaka_crash_end_watches()
    }
}
