// SPDX-License-Identifier: Apache-2.0
import ObservationClient
import TestSupport
import VakaModel
import VakaObservation

/// A program that serves its bridges, on a socket and a port.
struct ServedShop {
    let host: ShopHost
    let registry = ObservationRegistry()
    let webViews = WebViewRegistry()
    let server: ObservationServer
    let folder: TemporaryFolder

    init(
        _ host: ShopHost = ShopHost(), actions: [ObservationActionKind]? = ObservationActionKind.allCases,
        firstIdentity: UInt64 = 1 << 60
    ) throws {
        self.host = host
        folder = try TemporaryFolder()
        if let actions {
            registry.register(ObservationBridge(host, firstIdentity: firstIdentity), supportedActions: actions)
        }
        server = try ObservationServer(
            ObservationServer.Options(socketPath: folder.path + "/shop.sock", loopbackPort: 0, program: "shop"),
            registry: registry, webViews: webViews)
    }

    var socketPath: String { folder.path + "/shop.sock" }
    var url: String { server.url ?? "" }
    var client: ObservationClient { ObservationClient(.socket(path: socketPath)) }
    var http: HTTPClient { get throws { try HTTPClient(url: url) } }
    var authorization: [String: String] { ["Authorization": "Bearer " + server.token] }
}
