// SPDX-License-Identifier: Apache-2.0
import CSodium
import EventStore

/// Hashes and checks passwords: argon2id, 64 MiB and two passes. Few at once, so that memory is bounded.
struct Passwords: Sendable {
    static let lengths = 12...256
    private static let mostAtOnce = 2
    private static let mostWaiting = 16

    private struct State {
        var running = 0
        var waiting = 0
    }

    private let state = Monitor(State())
    /// Of no password: checked where there is no user, so that this takes as long.
    private let decoy: String

    init() throws(ServiceError) {
        guard let decoy = Self.makeHash(Secrets.random()) else { throw Self.noMemory }
        self.decoy = decoy
    }

    private static let noMemory = ServiceError("there is not enough memory to hash passwords (64 MiB)")

    /// For one who may wait.
    static func hash(_ password: String) throws(ServiceError) -> String {
        guard let hash = makeHash(password) else { throw noMemory }
        return hash
    }

    func hash(_ password: String) throws(APIError) -> String {
        guard let hash = try inTurn({ Self.makeHash(password) }) else {
            throw .unavailable("there is not enough memory to hash a password now; try again")
        }
        return hash
    }

    /// Whether it is the password of `hash`; with nil it is not, and takes as long to find out.
    func check(_ password: String, _ hash: String?) throws(APIError) -> Bool {
        let bytes = Array(password.utf8)
        let known = hash ?? decoy
        let isRight = try inTurn {
            bytes.withUnsafeBufferPointer { password in
                password.withMemoryRebound(to: CChar.self) { password in
                    crypto_pwhash_str_verify(
                        known, password.baseAddress ?? UnsafePointer(bitPattern: 1)!, UInt64(bytes.count))
                }
            } == 0
        }
        return isRight && hash != nil
    }

    private func inTurn<Result>(_ body: () -> Result) throws(APIError) -> Result {
        let isFull = state.withLock { state in
            guard state.waiting < Self.mostWaiting else { return true }
            state.waiting += 1
            return false
        }
        guard !isFull else { throw .unavailable("many people log in at once; try again") }
        _ = state.wait { state -> Void? in
            guard state.running < Self.mostAtOnce else { return nil }
            state.running += 1
            state.waiting -= 1
            return ()
        }
        defer { state.update { $0.running -= 1 } }
        return body()
    }

    private static func makeHash(_ password: String) -> String? {
        let length = Int(crypto_pwhash_strbytes())
        var output = [CChar](repeating: 0, count: length)
        let bytes = password.utf8.map { CChar(bitPattern: $0) }
        let result = crypto_pwhash_str(
            &output, bytes, UInt64(bytes.count), UInt64(crypto_pwhash_opslimit_interactive()),
            crypto_pwhash_memlimit_interactive())
        guard result == 0 else { return nil }
        return String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
