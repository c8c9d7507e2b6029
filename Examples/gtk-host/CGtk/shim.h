/* SPDX-License-Identifier: Apache-2.0 */
/* GTK 4, and what of it are macros, which Swift does not see. */
#ifndef GTK_HOST_SHIM_H
#define GTK_HOST_SHIM_H
#include <gtk/gtk.h>

static inline void shop_connect(void *object, const char *signal, GCallback callback, void *data) {
    g_signal_connect(object, signal, callback, data);
}
/* At once, where gtk_widget_activate shows the button pressed for a while first. */
static inline void shop_click(GtkWidget *button) {
    g_signal_emit_by_name(button, "clicked");
}
static inline GtkWindow *shop_window(GtkWidget *widget) {
    return GTK_WINDOW(widget);
}
static inline GtkBox *shop_box(GtkWidget *widget) {
    return GTK_BOX(widget);
}
static inline GtkLabel *shop_label(GtkWidget *widget) {
    return GTK_LABEL(widget);
}
static inline GtkEditable *shop_editable(GtkWidget *widget) {
    return GTK_EDITABLE(widget);
}
static inline GtkScrolledWindow *shop_scrolled(GtkWidget *widget) {
    return GTK_SCROLLED_WINDOW(widget);
}
static inline GtkButton *shop_button(GtkWidget *widget) {
    return GTK_BUTTON(widget);
}

static inline gboolean shop_is_button(GtkWidget *widget) {
    return GTK_IS_BUTTON(widget);
}
static inline gboolean shop_is_label(GtkWidget *widget) {
    return GTK_IS_LABEL(widget);
}
static inline gboolean shop_is_entry(GtkWidget *widget) {
    return GTK_IS_ENTRY(widget);
}
static inline gboolean shop_is_password(GtkWidget *widget) {
    if (GTK_IS_PASSWORD_ENTRY(widget))
        return TRUE;
    if (GTK_IS_TEXT(widget))
        return !gtk_text_get_visibility(GTK_TEXT(widget));
    if (!GTK_IS_ENTRY(widget))
        return FALSE;
    switch (gtk_entry_get_input_purpose(GTK_ENTRY(widget))) {
    case GTK_INPUT_PURPOSE_PASSWORD:
    case GTK_INPUT_PURPOSE_PIN:
        return TRUE;
    default:
        return !gtk_entry_get_visibility(GTK_ENTRY(widget));
    }
}
static inline gboolean shop_is_scrolled(GtkWidget *widget) {
    return GTK_IS_SCROLLED_WINDOW(widget);
}
#endif
