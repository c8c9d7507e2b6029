// SPDX-License-Identifier: Apache-2.0
@main
enum VakaCommand {
    static func main() {}
}
