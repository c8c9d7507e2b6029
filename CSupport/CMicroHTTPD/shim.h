/* SPDX-License-Identifier: Apache-2.0 */
/* GNU libmicrohttpd. Provider: libmicrohttpd-dev. Swift cannot call its variadic functions. */
#ifndef VAKA_CMICROHTTPD_SHIM_H
#define VAKA_CMICROHTTPD_SHIM_H
#include <microhttpd.h>

/* MHD_start_daemon is variadic. Bounds: header memory of one connection, connections, seconds without progress. */
struct vaka_mhd_config {
    int listen_socket;
    unsigned int threads;
    unsigned int connections;
    unsigned int timeout_seconds;
    size_t connection_memory;
    /* The certificate callback of vaka_tls.h; NULL for plain HTTP. */
    void *certificate_callback;
};

static inline struct MHD_Daemon *vaka_mhd_start(const struct vaka_mhd_config *config, MHD_AccessHandlerCallback handler,
                                                MHD_RequestCompletedCallback completed, void *context) {
    const unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, config->certificate_callback},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem *more = config->certificate_callback != NULL ? tls : &tls[2];
    return MHD_start_daemon(config->certificate_callback != NULL ? flags | MHD_USE_TLS : flags, 0, NULL, NULL, handler,
                            context, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)config->listen_socket,
                            MHD_OPTION_THREAD_POOL_SIZE, config->threads, MHD_OPTION_CONNECTION_LIMIT,
                            config->connections, MHD_OPTION_CONNECTION_TIMEOUT, config->timeout_seconds,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, config->connection_memory, MHD_OPTION_STRICT_FOR_CLIENT,
                            1, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_ARRAY, more, MHD_OPTION_END);
}

/* Of all its threads. MHD_get_daemon_info is variadic. */
static inline unsigned int vaka_mhd_connections(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info != NULL ? info->num_connections : 0;
}

/* MHD_get_connection_info is variadic. */
static inline const struct sockaddr *vaka_mhd_client(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info != NULL ? info->client_addr : NULL;
}

static inline int vaka_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : -1;
}

/* NULL on a plain connection. */
static inline void *vaka_mhd_tls_session(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info != NULL ? info->tls_session : NULL;
}
#endif
