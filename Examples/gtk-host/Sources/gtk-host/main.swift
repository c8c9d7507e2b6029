// SPDX-License-Identifier: Apache-2.0
import CGtk
import FoundationEssentials
import Glibc
import Vaka
import VakaObservation
import VakaRecording

// A GTK program that can be observed and driven: gtk-host. VAKA_OBSERVATION_SOCKET says where; with VAKA_URL and VAKA_KEY it
// reports its crashes, of which the button "Pay" has one.

let variables = ProcessInfo.processInfo.environment
if let key = variables["VAKA_KEY"], let url = variables["VAKA_URL"].flatMap({ URL(string: $0) }) {
    var options = Vaka.Options(key: key, endpoint: url, release: "gtk-host@1.0")
    options.storageDirectory = variables["VAKA_STORAGE"].map { URL(filePath: $0) }
    Vaka.start(options)
}

let shop = ShopWindow()
Vaka.screen("shop")
let host = GtkHost(shop.window)
// Where the project's settings turn it on.
ScreenRecording.attach(host)
ObservationRegistry.shared.register(ObservationBridge(host), supportedActions: GtkHost.actions)

var server: ObservationServer?
if let path = variables["VAKA_OBSERVATION_SOCKET"] {
    do {
        server = try ObservationServer(ObservationServer.Options(socketPath: path))
    } catch {
        print(error)
        exit(1)
    }
}
print("ready")
fflush(nil)
while true { g_main_context_iteration(nil, 1) }
