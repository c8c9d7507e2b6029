// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Logging
import Vaka
import VakaLogging

func startReporting() {
    let variables = ProcessInfo.processInfo.environment
    guard let key = variables["VAKA_KEY"], let url = variables["VAKA_URL"].flatMap({ URL(string: $0) }) else { return }
    var options = Vaka.Options(key: key, endpoint: url, release: "logged@1.0")
    options.storageDirectory = variables["VAKA_STORAGE"].map { URL(filePath: $0) }
    Vaka.start(options)
}

startReporting()
let logger = Logger(label: "shop") { VakaLogHandler(label: $0) }
logger.log(level: .info, "opened the basket", metadata: ["items": .stringConvertible(3)])
logger.log(level: .error, "the payment failed")
