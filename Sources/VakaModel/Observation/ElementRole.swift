// SPDX-License-Identifier: Apache-2.0

/// What an element of a screen is. Hosts may have words of their own beside these; what is done with an element by its role
/// (which actions it takes, what a recording masks) is done for these.
public struct ElementRole: OpenEnum {
    /// The word, as it is written.
    public let rawValue: String
    /// A word of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let window = ElementRole(rawValue: "window")
    public static let dialog = ElementRole(rawValue: "dialog")
    /// Holds others, and is nothing by itself.
    public static let group = ElementRole(rawValue: "group")
    public static let toolbar = ElementRole(rawValue: "toolbar")
    /// Text that is read only.
    public static let text = ElementRole(rawValue: "text")
    public static let image = ElementRole(rawValue: "image")
    public static let button = ElementRole(rawValue: "button")
    public static let link = ElementRole(rawValue: "link")
    public static let checkbox = ElementRole(rawValue: "checkbox")
    public static let radioButton = ElementRole(rawValue: "radiobutton")
    public static let toggle = ElementRole(rawValue: "switch")
    public static let slider = ElementRole(rawValue: "slider")
    public static let comboBox = ElementRole(rawValue: "combobox")
    /// A line of text that is typed.
    public static let textField = ElementRole(rawValue: "textfield")
    /// Several lines of text that are typed.
    public static let textArea = ElementRole(rawValue: "textarea")
    public static let searchField = ElementRole(rawValue: "searchfield")
    /// A password or the like: its content is never told.
    public static let secureTextField = ElementRole(rawValue: "securetextfield")
    public static let list = ElementRole(rawValue: "list")
    public static let listItem = ElementRole(rawValue: "listitem")
    public static let scrollArea = ElementRole(rawValue: "scrollarea")
    public static let tab = ElementRole(rawValue: "tab")
    public static let menu = ElementRole(rawValue: "menu")
    public static let menuItem = ElementRole(rawValue: "menuitem")
    public static let progress = ElementRole(rawValue: "progress")
    /// A page of a browser's engine.
    public static let webView = ElementRole(rawValue: "webview")
    /// A picture that moves.
    public static let video = ElementRole(rawValue: "video")
    /// Keys on the screen: what is typed shows there.
    public static let keyboard = ElementRole(rawValue: "keyboard")

    /// Whether text is typed into it.
    public var isTextEntry: Bool {
        switch self {
        case .textField, .textArea, .searchField, .secureTextField: true
        default: false
        }
    }
}
