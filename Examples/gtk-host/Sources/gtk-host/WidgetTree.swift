// SPDX-License-Identifier: Apache-2.0
import CGtk
import VakaModel
import VakaObservation

/// GTK's widgets as elements: any program's, not only this one's. For GTK's thread.
struct WidgetTree {
    let window: UnsafeMutablePointer<GtkWidget>

    /// GTK 4 does not tell where a window is on the screen.
    var tree: ElementTree {
        let bounds = bounds(window)
        return ElementTree(
            screen: String(cString: gtk_widget_get_name(window)), coordinateSpace: .window, bounds: bounds,
            elements: children(window))
    }

    /// The widget of an element's name.
    func find(_ id: String) -> UnsafeMutablePointer<GtkWidget>? { find(id, in: window) }

    private func find(
        _ id: String, in widget: UnsafeMutablePointer<GtkWidget>
    ) -> UnsafeMutablePointer<GtkWidget>? {
        if name(widget) == id { return widget }
        var child = gtk_widget_get_first_child(widget)
        while let one = child {
            if let found = find(id, in: one) { return found }
            child = gtk_widget_get_next_sibling(one)
        }
        return nil
    }

    /// Those with a name of their own; what lies between counts as not there.
    private func children(_ widget: UnsafeMutablePointer<GtkWidget>) -> [Element] {
        var elements: [Element] = []
        var child = gtk_widget_get_first_child(widget)
        while let one = child {
            elements += name(one).map { [element(one, id: $0)] } ?? children(one)
            child = gtk_widget_get_next_sibling(one)
        }
        return elements
    }

    /// GTK gives widgets the name of their class where the program gives none.
    private func name(_ widget: UnsafeMutablePointer<GtkWidget>) -> String? {
        let name = String(cString: gtk_widget_get_name(widget))
        return name.hasPrefix("Gtk") ? nil : name
    }

    private func element(_ widget: UnsafeMutablePointer<GtkWidget>, id: String) -> Element {
        let isPassword = shop_is_password(widget) != 0
        var element = Element(
            id: id, role: .group, bounds: bounds(widget), isVisible: gtk_widget_is_visible(widget) != 0,
            isEnabled: gtk_widget_is_sensitive(widget) != 0, isFocused: gtk_widget_has_focus(widget) != 0)
        if isPassword {
            element.role = .secureTextField
        } else if shop_is_entry(widget) != 0 {
            element.role = .textField
            element.value = String(cString: gtk_editable_get_text(shop_editable(widget)))
        } else if shop_is_button(widget) != 0 {
            element.role = .button
            element.label = gtk_button_get_label(shop_button(widget)).map { String(cString: $0) }
        } else if shop_is_label(widget) != 0 {
            element.role = .text
            element.label = String(cString: gtk_label_get_text(shop_label(widget)))
        } else if shop_is_scrolled(widget) != 0 {
            element.role = .scrollArea
            element.children = children(widget)
        } else {
            element.children = children(widget)
        }
        return element
    }

    private func bounds(_ widget: UnsafeMutablePointer<GtkWidget>) -> ElementBounds {
        var rectangle = graphene_rect_t()
        guard gtk_widget_compute_bounds(widget, window, &rectangle) != 0 else { return .zero }
        return ElementBounds(
            x: Double(rectangle.origin.x), y: Double(rectangle.origin.y), width: Double(rectangle.size.width),
            height: Double(rectangle.size.height))
    }
}
