// SPDX-License-Identifier: Apache-2.0

/// A way in which people move through a program, in the order in which the descriptors are listed.
public enum NavigationFamily: String, CaseIterable, Hashable, Sendable {
    /// Pages of the web within the program. Not on Linux.
    case webView = "webview.wkwebview"
    /// Not on Linux.
    case uiKit = "navigation.uikit"
    /// Not on Linux.
    case swiftUI = "navigation.swiftui"
    /// Links that open the program.
    case deepLink = "navigation.deeplink"
    /// A router of the program's own.
    case custom = "navigation.custom"

    /// Linux has neither web views of that kind nor those frameworks.
    var hasAdapter: Bool { self == .deepLink || self == .custom }
}
