/* SPDX-License-Identifier: Apache-2.0 */
#include "activity.h"
#include "library.h"
#include "vaka_curl.h"

#include <stdio.h>
#include <string.h>

struct reading {
    const char *text;
    size_t left;
};

static size_t read_text(char *buffer, size_t size, size_t count, void *context) {
    struct reading *reading = context;
    size_t bytes = size * count < reading->left ? size * count : reading->left;
    memcpy(buffer, reading->text, bytes);
    reading->text += bytes;
    reading->left -= bytes;
    return bytes;
}

static size_t drop(char *data, size_t size, size_t count, void *context) {
    (void)data;
    (void)context;
    return size * count;
}

static int stop_at_end(void *context, curl_offset to_receive, curl_offset received, curl_offset to_send,
                       curl_offset sent) {
    (void)context, (void)to_receive, (void)received, (void)to_send, (void)sent;
    return vaka_curl_activity_is_over();
}

static void set_options(const struct vaka_curl_library *curl, curl_handle *handle, const vaka_mail *mail,
                        struct curl_list *to, struct reading *reading) {
    curl->easy_setopt(handle, OPTION_NOSIGNAL, 1L);
    curl->easy_setopt(handle, OPTION_PROTOCOLS, (long)(PROTOCOL_SMTP | PROTOCOL_SMTPS));
    curl->easy_setopt(handle, OPTION_PROXY, "");
    curl->easy_setopt(handle, OPTION_URL, mail->server);
    curl->easy_setopt(handle, OPTION_USE_SSL, mail->needs_tls ? (long)TLS_ALL : (long)TLS_NONE);
    if (mail->ca_file != NULL)
        curl->easy_setopt(handle, OPTION_CAINFO, mail->ca_file);
    curl->easy_setopt(handle, OPTION_TIMEOUT_MS, mail->timeout_ms);
    curl->easy_setopt(handle, OPTION_CONNECTTIMEOUT_MS, mail->timeout_ms);
    curl->easy_setopt(handle, OPTION_MAIL_FROM, mail->from);
    curl->easy_setopt(handle, OPTION_MAIL_RCPT, to);
    curl->easy_setopt(handle, OPTION_UPLOAD, 1L);
    curl->easy_setopt(handle, OPTION_INFILESIZE_LARGE, (curl_offset)mail->bytes);
    curl->easy_setopt(handle, OPTION_READFUNCTION, read_text);
    curl->easy_setopt(handle, OPTION_READDATA, reading);
    curl->easy_setopt(handle, OPTION_WRITEFUNCTION, drop);
    curl->easy_setopt(handle, OPTION_NOPROGRESS, 0L);
    curl->easy_setopt(handle, OPTION_XFERINFOFUNCTION, stop_at_end);
}

static int send_mail(const struct vaka_curl_library *curl, const vaka_mail *mail, long *status, char *error,
                     size_t error_bytes) {
    struct reading reading = {mail->text, mail->bytes};
    struct curl_list *to = curl->slist_append(NULL, mail->to);
    curl_handle *handle = curl->easy_init();
    enum curl_code code = CODE_OUT_OF_MEMORY;
    if (to != NULL && handle != NULL) {
        char detail[ERROR_BYTES] = "";
        set_options(curl, handle, mail, to, &reading);
        curl->easy_setopt(handle, OPTION_ERRORBUFFER, detail);
        code = curl->easy_perform(handle);
        curl->easy_getinfo(handle, INFORMATION_RESPONSE_CODE, status);
        if (code != CODE_OK && detail[0] != '\0')
            snprintf(error, error_bytes, "%s", detail);
    }
    if (code != CODE_OK && error[0] == '\0')
        snprintf(error, error_bytes, "%s", curl->easy_strerror(code));
    if (handle != NULL)
        curl->easy_cleanup(handle);
    curl->slist_free_all(to);
    return code == CODE_OK ? 0 : -1;
}

int vaka_mail_send(const vaka_mail *mail, long *status, char *error, size_t error_bytes) {
    *status = 0;
    error[0] = '\0';
    const char *problem;
    const struct vaka_curl_library *curl = vaka_curl_library_get(&problem);
    if (curl == NULL) {
        snprintf(error, error_bytes, "%s", problem);
        return -1;
    }
    if (!vaka_curl_activity_begin()) {
        snprintf(error, error_bytes, "the process is ending");
        return -1;
    }
    int result = send_mail(curl, mail, status, error, error_bytes);
    vaka_curl_activity_end();
    return result;
}
