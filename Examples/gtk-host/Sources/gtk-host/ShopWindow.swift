// SPDX-License-Identifier: Apache-2.0
import CGtk
import Glibc
import Vaka

/// A window with what shops have: a search, a password, a basket, and a button that crashes. GTK's thread alone uses it.
final class ShopWindow {
    let window: UnsafeMutablePointer<GtkWidget>
    private let basket: UnsafeMutablePointer<GtkWidget>
    private var articles = 0

    init() {
        gtk_init()
        window = gtk_window_new()
        gtk_widget_set_name(window, "shop")
        gtk_window_set_title(shop_window(window), "Shop")
        gtk_window_set_default_size(shop_window(window), 360, 480)
        basket = Self.named("basket", gtk_label_new("The basket is empty"))
        let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8)
        for widget in [
            Self.named("title", gtk_label_new("Shop")), Self.named("search", gtk_entry_new()),
            Self.named("password", gtk_password_entry_new()), basket, button("add", "Add to basket", Self.add),
            Self.disabled("sold-out", "Sold out"), list(), button("crash", "Pay", Self.pay),
        ] { gtk_box_append(shop_box(box), widget) }
        gtk_window_set_child(shop_window(window), box)
        let closed: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> gboolean = { _, _ in
            exit(0)
        }
        shop_connect(window, "close-request", unsafeBitCast(closed, to: GCallback.self), nil)
        gtk_window_present(shop_window(window))
    }

    private static func named(
        _ name: String, _ widget: UnsafeMutablePointer<GtkWidget>
    ) -> UnsafeMutablePointer<GtkWidget> {
        gtk_widget_set_name(widget, name)
        return widget
    }

    private static func disabled(_ name: String, _ label: String) -> UnsafeMutablePointer<GtkWidget> {
        let button = named(name, gtk_button_new_with_label(label))
        gtk_widget_set_sensitive(button, 0)
        return button
    }

    private typealias Clicked = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void

    private func button(_ name: String, _ label: String, _ clicked: Clicked) -> UnsafeMutablePointer<GtkWidget> {
        let button = Self.named(name, gtk_button_new_with_label(label))
        shop_connect(
            button, "clicked", unsafeBitCast(clicked, to: GCallback.self), Unmanaged.passUnretained(self).toOpaque())
        return button
    }

    /// More than fits.
    private func list() -> UnsafeMutablePointer<GtkWidget> {
        let scrolled = Self.named("list", gtk_scrolled_window_new())
        gtk_widget_set_vexpand(scrolled, 1)
        let rows: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4)
        for number in 1...40 {
            gtk_box_append(shop_box(rows), Self.named("article-\(number)", gtk_label_new("Article \(number)")))
        }
        gtk_scrolled_window_set_child(shop_scrolled(scrolled), rows)
        return scrolled
    }

    private static let add: Clicked = { _, data in
        guard let data else { return }
        Unmanaged<ShopWindow>.fromOpaque(data).takeUnretainedValue().addArticle()
    }

    private static let pay: Clicked = { _, data in
        guard let data else { return }
        Unmanaged<ShopWindow>.fromOpaque(data).takeUnretainedValue().payForBasket()
    }

    private func addArticle() {
        articles += 1
        Vaka.addBreadcrumb(category: "ui", message: "added an article")
        gtk_label_set_text(shop_label(basket), "\(articles) in the basket")
    }

    /// A bug on purpose: nobody ever has a card.
    private func payForBasket() {
        Vaka.addBreadcrumb(category: "ui", message: "pays for \(articles)")
        let cards: [String: Int] = [:]
        print(cards["default"]!)
    }
}
