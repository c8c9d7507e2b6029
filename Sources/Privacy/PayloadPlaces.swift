// SPDX-License-Identifier: Apache-2.0
import JSONScan

/// Where in a payload texts are something else. Which of it holds is a matter of the payload's kind.
enum PayloadPlaces {
    private static let memory = ScanTree.Value.objectOrArray(["data": .place(.memory)])
    private static let threads = ScanTree.Value.array([
        "frames": .array(["symbol": .place(.function), "function": .place(.function)]), "stack": memory,
    ])

    private static let exchange: [String: ScanTree.Value] = ["url": .place(.address), "path": .place(.address)]

    static func of(droppedUserFields: Set<String>) -> ScanTree.Value {
        .object([
            "url": .place(.address), "path": .place(.address), "network": .array(exchange),
            "threads": threads, "errors": threads, "memory": memory, "data": .place(.file),
            "user": .object(
                Dictionary(uniqueKeysWithValues: droppedUserFields.map { ($0, ScanTree.Value.place(.dropped)) })),
        ])
    }
}
