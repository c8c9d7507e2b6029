// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Tells the service manager that started this process how it is, where it listens for that (`NOTIFY_SOCKET`, as systemd
/// does for `Type=notify`). Without one, and where it does not answer, nothing happens.
package enum ServiceManager {
    package enum State: String {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    package static func tell(_ state: State) {
        guard let path = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), let first = path.utf8.first,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
        else { return }
        var address = sockaddr_un()
        var name = Array(path.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < capacity else { return }
        // An @ stands for the zero byte before an abstract name.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + name.count)
        let text = Array(state.rawValue.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, text, text.count, 0, address, size)
            }
        }
    }
}
