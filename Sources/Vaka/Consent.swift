// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials

/// What the person who uses the program said to being reported on; kept across launches.
enum Consent: String, Sendable {
    case given, denied

    private static let fileName = "consent"

    /// What the first of the folders that tells says.
    static func read(_ paths: [String]) -> Consent? {
        for path in paths {
            guard let data = try? DurableFile.read(path + "/" + fileName, limit: 64) else { continue }
            return Consent(rawValue: String(decoding: data.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
        return nil
    }

    /// Makes the folder where it is missing.
    func write(_ options: Vaka.Options) throws {
        let folder = try StorageChoice.folder(
            options.storageDirectory?.path, application: StorageChoice.application,
            environment: ProcessInfo.processInfo.environment, remedy: "set storageDirectory")
        try DurableFile.write(Data((rawValue + "\n").utf8), name: Self.fileName, folder: folder.path)
    }
}

extension Lifecycle {
    /// Whether the start may keep anything. Where it may not, it waits for the consent.
    func mayKeep(_ start: Start) -> Bool {
        let said = takeSaidConsent()
        if let said { keep(said, start.options) }
        let consent = said ?? Consent.read(storagePaths)
        return start.options.requiresConsent ? consent == .given : consent != .denied
    }

    /// See ``Vaka/setConsent(_:)``.
    func setConsent(_ consent: Consent) {
        guard let options = recentOptions else { return say(consent) }
        if consent == .denied { withdraw() }
        keep(consent, options)
        if consent == .given, let start = takeAwaitingConsent() { self.start(start) }
    }

    private func keep(_ consent: Consent, _ options: Vaka.Options) {
        do {
            try consent.write(options)
        } catch {
            DebugLog.say("Vaka could not keep that consent was \(consent): \(error)")
        }
    }

    /// Sends nothing more, and erases everything.
    private func withdraw() {
        let client = lastClient
        client?.outbox.close()
        noteAwaitingConsent()
        stop()
        settle(within: Self.stopBound)
        do {
            if let client {
                try client.eraseAll()
            } else {
                for path in storagePaths { try KeptData.eraseAll(path: path) }
            }
        } catch {
            DebugLog.say("Vaka could not erase everything: \(error)")
        }
    }
}

extension Lifecycle {
    /// Another process was told that consent is withdrawn, and has erased what was on disk: collects nothing more.
    func heedWithdrawal() {
        noteAwaitingConsent()
        stop()
    }
}

extension Client {
    /// Whether consent was withdrawn, by this process or another: then what is in memory is forgotten, and nothing is sent
    /// any more.
    func heedsWithdrawal() -> Bool {
        guard Consent.read([storage.path]) == .denied else { return false }
        outbox.close()
        intake.withLock { intake in
            intake.hasEnded = true
            intake.remove { _ in true }
        }
        whenWithdrawn.withLock { $0.take() }?()
        return true
    }
}

extension Vaka {
    /// Says whether the person who uses the program agrees to being reported on; kept on this machine until it is said anew.
    ///
    /// With ``Options/requiresConsent`` nothing is kept or sent before `true`; a start that came before then follows at once.
    /// `false` stops Vaka, whatever the options say, sends nothing more, and erases all that is kept: records, queues and the
    /// installation's id; it returns when that is done. The answer itself is kept. Later starts keep nothing until `true`, and
    /// other processes that use the folder forget what they have in memory, and stop, when they would next write or send.
    public static func setConsent(_ given: Bool) {
        Runtime.lifecycle.setConsent(given ? .given : .denied)
    }
}
