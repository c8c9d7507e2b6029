// SPDX-License-Identifier: Apache-2.0
import Vaka
import VakaModel

/// The exchange or frame that rules are held against.
struct FaultSubject: Sendable {
    var transport: HostTransport
    var method: String
    var address: Address
    var direction: NetworkDirection?

    init(_ transport: HostTransport, method: String, url: String, direction: NetworkDirection? = nil) {
        self.transport = transport
        self.method = method
        self.direction = direction
        address = Address(url, keepsAll: false)
    }
}

extension FaultRule.Match {
    func means(_ subject: FaultSubject) -> Bool {
        if let transport, transport != subject.transport { return false }
        if let method, method.uppercased() != subject.method.uppercased() { return false }
        if let direction, direction != subject.direction { return false }
        if let pathPrefix, !subject.address.path.hasPrefix(pathPrefix) { return false }
        guard let host else { return true }
        return Measurement.matches(subject.address.host ?? "", host.lowercased())
    }
}
