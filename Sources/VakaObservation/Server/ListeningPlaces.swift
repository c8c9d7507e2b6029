// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// Where a server listens: the sockets, and the file that one of them made.
struct ListeningPlaces: Sendable {
    let local: Int32?
    let loopback: Int32?
    let port: UInt16?
    private let file: (path: String, device: dev_t, number: ino_t)?

    init(socketPath: String?, loopbackPort: UInt16?) throws(ObservationServerError) {
        guard socketPath != nil || loopbackPort != nil else {
            throw ObservationServerError(description: "neither a socket's path nor a port to listen on")
        }
        var opened: (Int32, UInt16)?
        if let loopbackPort { opened = try ListeningSocket.loopback(loopbackPort) }
        loopback = opened?.0
        port = opened?.1
        guard let socketPath else {
            local = nil
            file = nil
            return
        }
        do {
            local = try ListeningSocket.local(socketPath)
        } catch {
            if let opened { _ = Glibc.close(opened.0) }
            throw error
        }
        var information = stat()
        file = lstat(socketPath, &information) == 0 ? (socketPath, information.st_dev, information.st_ino) : nil
    }

    /// Only where it is still the one that was made.
    func removeFile() {
        var information = stat()
        guard let file, lstat(file.path, &information) == 0, information.st_dev == file.device,
            information.st_ino == file.number
        else { return }
        unlink(file.path)
    }

    func close() {
        for descriptor in [local, loopback] { if let descriptor { _ = Glibc.close(descriptor) } }
    }
}
