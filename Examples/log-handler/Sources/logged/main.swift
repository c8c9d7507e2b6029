// SPDX-License-Identifier: Apache-2.0
import Logging
import VakaLogging

let logger = Logger(label: "shop") { VakaLogHandler(label: $0) }
logger.log(level: .info, "opened the basket", metadata: ["items": .stringConvertible(3)])
logger.log(level: .error, "the payment failed")
