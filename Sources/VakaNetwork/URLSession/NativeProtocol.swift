// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// The class that Foundation itself loads HTTP with; it is among the `protocolClasses` of each new configuration.
enum NativeProtocol {
    /// Nil where this Foundation has it nowhere to be seen: then nothing is captured, and nothing is changed.
    static let type: URLProtocol.Type? = {
        guard let url = URL(string: "http://localhost/") else { return nil }
        let request = URLRequest(url: url)
        let types = URLSessionConfiguration.default.protocolClasses ?? []
        return types.lazy.compactMap { $0 as? URLProtocol.Type }.first { type in
            // No class that a program registered for all of its sessions.
            String(reflecting: type).hasPrefix("FoundationNetworking.") && type.canInit(with: request)
        }
    }()
}
