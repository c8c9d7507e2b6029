/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets within one machine. What returns a descriptor returns -1 with errno where it fails; all are closed on exec. */
#ifndef VAKA_CLINUX_LOCAL_SOCKET_H
#define VAKA_CLINUX_LOCAL_SOCKET_H
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* False where the path is too long for one. */
static inline int vaka_local_address(const char *path, struct sockaddr_un *address) {
    size_t length = strlen(path);
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    if (length == 0 || length >= sizeof(address->sun_path)) {
        errno = ENAMETOOLONG;
        return 0;
    }
    memcpy(address->sun_path, path, length);
    return 1;
}

/* -1, with errno kept. */
static inline int vaka_close_failed(int descriptor) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

/* Of mode 0600 from its first moment. */
static inline int vaka_listen_local(const char *path) {
    struct sockaddr_un address;
    int listener;
    if (!vaka_local_address(path, &address))
        return -1;
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0)
        return -1;
    if (fchmod(listener, 0600) != 0 || bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
        listen(listener, 16) != 0)
        return vaka_close_failed(listener);
    return listener;
}

/* A listener that stands still lets others wait, once its queue is full: not for longer than this. */
static inline void vaka_bound_connect(int descriptor, long milliseconds) {
    struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
    if (time.tv_sec <= 0 && time.tv_usec <= 0)
        time.tv_usec = 1000;
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time));
}

/* EAGAIN where nobody took the connection in time. */
static inline int vaka_connect_local(const char *path, long milliseconds) {
    struct sockaddr_un address;
    int descriptor;
    if (!vaka_local_address(path, &address))
        return -1;
    descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return -1;
    vaka_bound_connect(descriptor, milliseconds);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof(address)) != 0)
        return vaka_close_failed(descriptor);
    return descriptor;
}

static inline struct sockaddr_in vaka_loopback_address(uint16_t port) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof(address));
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/* Port 0 takes a free one, which `port` then has. */
static inline int vaka_listen_loopback(uint16_t *port) {
    struct sockaddr_in address = vaka_loopback_address(*port);
    socklen_t length = sizeof(address);
    int on = 1;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0)
        return -1;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(listener, 16) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        return vaka_close_failed(listener);
    *port = ntohs(address.sin_port);
    return listener;
}

/* EINPROGRESS where nobody took the connection in time. */
static inline int vaka_connect_loopback(uint16_t port, long milliseconds) {
    struct sockaddr_in address = vaka_loopback_address(port);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return -1;
    vaka_bound_connect(descriptor, milliseconds);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof(address)) != 0)
        return vaka_close_failed(descriptor);
    return descriptor;
}

static inline int vaka_accept(int listener) {
    return (int)syscall(SYS_accept4, listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/* Who is at the other end of a local socket; -1 where that is not known. */
static inline int64_t vaka_peer_user(int descriptor) {
    struct {
        pid_t process;
        uid_t user;
        gid_t group;
    } peer;
    socklen_t length = sizeof(peer);
    if (getsockopt(descriptor, SOL_SOCKET, 17 /* SO_PEERCRED */, &peer, &length) != 0 || length != sizeof(peer))
        return -1;
    return (int64_t)peer.user;
}

/* Neither blocks, nor raises SIGPIPE. */
static inline ssize_t vaka_send(int descriptor, const void *bytes, size_t count) {
    return send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static inline ssize_t vaka_receive(int descriptor, void *bytes, size_t count) {
    return recv(descriptor, bytes, count, MSG_DONTWAIT);
}
#endif
