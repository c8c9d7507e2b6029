// SPDX-License-Identifier: Apache-2.0

enum VakaVersion {
    static let number = "0.1.0"
}
