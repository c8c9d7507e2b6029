// SPDX-License-Identifier: Apache-2.0

/// Which addresses an alert may go to: a project's administrator must not reach into the server's own network with it.
package struct AddressGuard: Sendable {
    /// Networks that the operator allows beside the Internet.
    package var allowed: [NetworkRange]

    package init(allowed: [NetworkRange] = []) {
        self.allowed = allowed
    }

    package func admits(_ address: NetworkAddress) -> Bool {
        if allowed.contains(where: { $0.contains(address) }) { return true }
        if NetworkRange.notPublic.contains(where: { $0.contains(address) }) { return false }
        return address.embedded.map(admits) ?? true
    }

    /// The address to connect to; it is not looked up again, so that it stays the one that was checked.
    func pin(_ host: String) throws(AlertFailure) -> NetworkAddress {
        let addresses = try NetworkAddress.all(of: host).get()
        guard let first = addresses.first else { throw AlertFailure("\(host) has no address") }
        guard let admitted = addresses.first(where: admits) else {
            throw AlertFailure(
                "\(host) is \(first), which is in no public network; whoever runs the server may allow that "
                    + "(--alert-network)")
        }
        return admitted
    }
}
