// SPDX-License-Identifier: Apache-2.0
import CGtk
import VakaModel
import VakaObservation

/// Lets a GTK program be observed and driven: everything is done on GTK's thread, by its loop.
final class GtkHost: ObservationHost {
    static let actions: [ObservationActionKind] = [.tap, .insertText, .clearText, .scroll]

    /// Widgets are GTK's thread's; this only carries the window's there.
    private struct Window: @unchecked Sendable {
        let widget: UnsafeMutablePointer<GtkWidget>
    }

    private let window: Window
    private let queue = ActionQueue(post: GtkHost.post)

    init(_ widget: UnsafeMutablePointer<GtkWidget>) { window = Window(widget: widget) }

    func elementTree() async -> ElementTree {
        let window = window
        let tree = try? await queue.run { () throws(ObservationRejection) in WidgetTree(window: window.widget).tree }
        return tree ?? ElementTree(coordinateSpace: .window, bounds: .zero, elements: [])
    }

    func perform(_ action: ObservationAction, on element: Element?) async throws(ObservationRejection) {
        let window = window
        try await queue.run { () throws(ObservationRejection) in
            try Self.perform(action, WidgetTree(window: window.widget))
        }
    }

    /// The widget is looked for again: it may have changed since it was captured.
    private static func perform(_ action: ObservationAction, _ tree: WidgetTree) throws(ObservationRejection) {
        guard let id = action.elementId, let widget = tree.find(id) else { throw .unknownElement }
        guard gtk_widget_is_sensitive(widget) != 0, gtk_widget_get_mapped(widget) != 0 else {
            throw .elementNotActionable
        }
        switch action {
        case .tap:
            if shop_is_button(widget) != 0 { return shop_click(widget) }
            guard gtk_widget_activate(widget) != 0 || gtk_widget_grab_focus(widget) != 0 else {
                throw .elementNotActionable
            }
        case .insertText(_, _, let text):
            var position = gtk_editable_get_position(shop_editable(widget))
            gtk_editable_insert_text(shop_editable(widget), text, Int32(text.utf8.count), &position)
            gtk_editable_set_position(shop_editable(widget), position)
        case .clearText: gtk_editable_set_text(shop_editable(widget), "")
        case .scroll(_, _, let delta):
            guard shop_is_scrolled(widget) != 0 else { throw .elementNotActionable }
            move(gtk_scrolled_window_get_vadjustment(shop_scrolled(widget)), by: delta.y)
            move(gtk_scrolled_window_get_hadjustment(shop_scrolled(widget)), by: delta.x)
        case .longPress, .swipe: throw .unsupportedAction
        }
    }

    private static func move(_ adjustment: UnsafeMutablePointer<GtkAdjustment>?, by distance: Double) {
        guard let adjustment else { return }
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + distance)
    }

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Has GTK's loop call it once.
    private static func post(_ body: @escaping @Sendable () -> Void) {
        g_idle_add(
            { data in
                guard let data else { return 0 }
                Unmanaged<Work>.fromOpaque(data).takeRetainedValue().body()
                return 0
            }, Unmanaged.passRetained(Work(body)).toOpaque())
    }
}
