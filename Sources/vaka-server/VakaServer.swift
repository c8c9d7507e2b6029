// SPDX-License-Identifier: Apache-2.0
@main
enum VakaServer {
    static func main() {}
}
