// SPDX-License-Identifier: Apache-2.0
// load PORT CONNECTIONS SECONDS PACK: sends the requests of PACK, each once, over so many connections at once, until they
// or the seconds are over. A pack is a run of requests as they go over the wire, each behind its length (4 bytes, native).
// Prints: accepted refused failed seconds p50_ms p99_ms processor_seconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_MOST = 8192 };

struct connection {
    int socket;
    const char *request;
    size_t length, sent;
    double started;
    char answer[ANSWER_MOST];
    size_t received;
};

static const char *next_request, *pack_end;
static struct sockaddr_in server = {.sin_family = AF_INET};
static int poller;
static long accepted, refused, failed, measured;
static double *latencies;
static double deadline;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void connect_again(struct connection *connection) {
    int one = 1;
    if (connection->socket >= 0)
        close(connection->socket);
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (connection->socket < 0)
        fail("socket");
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(connection->socket, (struct sockaddr *)&server, sizeof server) != 0 && errno != EINPROGRESS)
        fail("connect");
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = connection};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, connection->socket, &event) != 0)
        fail("epoll_ctl");
}

// False when there is nothing left to send.
static int take_request(struct connection *connection) {
    connection->request = NULL;
    double time = now();
    if (next_request >= pack_end || time >= deadline)
        return 0;
    uint32_t length;
    memcpy(&length, next_request, sizeof length);
    connection->request = next_request + sizeof length;
    connection->length = length;
    connection->sent = connection->received = 0;
    connection->started = time;
    next_request += sizeof length + length;
    return 1;
}

static void send_more(struct connection *connection) {
    while (connection->request && connection->sent < connection->length) {
        ssize_t count = send(connection->socket, connection->request + connection->sent,
                             connection->length - connection->sent, MSG_NOSIGNAL);
        if (count <= 0)
            return;
        connection->sent += (size_t)count;
    }
}

// The answer's size; 0 while its head is not whole.
static size_t answer_size(struct connection *connection) {
    connection->answer[connection->received] = 0;
    const char *end = strstr(connection->answer, "\r\n\r\n");
    if (!end)
        return 0;
    const char *length = strcasestr(connection->answer, "\r\ncontent-length:");
    return (size_t)(end + 4 - connection->answer) + (length && length < end ? strtoul(length + 17, NULL, 10) : 0);
}

static void count_answer(struct connection *connection) {
    int status = atoi(connection->answer + 9);
    if (status / 100 == 2)
        accepted++;
    else
        refused++;
    latencies[measured++] = (now() - connection->started) * 1000;
}

// Sends the next request after an answer, on the same connection where the server keeps it.
static void go_on(struct connection *connection, int closed) {
    int stays = !closed && !strcasestr(connection->answer, "\r\nconnection: close");
    if (!take_request(connection)) {
        // A server may wait for this before it turns to the next.
        close(connection->socket);
        connection->socket = -1;
        return;
    }
    if (stays)
        send_more(connection);
    else
        connect_again(connection);
}

static void receive(struct connection *connection) {
    while (connection->request) {
        ssize_t count = recv(connection->socket, connection->answer + connection->received,
                             ANSWER_MOST - 1 - connection->received, 0);
        if (count < 0 && errno == EAGAIN)
            return;
        if (count > 0)
            connection->received += (size_t)count;
        size_t size = answer_size(connection);
        if (size > 0 && connection->received >= size) {
            count_answer(connection);
            go_on(connection, count <= 0);
        } else if (count <= 0) {
            failed++;
            go_on(connection, 1);
        }
    }
}

static int compare(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return difference < 0 ? -1 : difference > 0;
}

static void load_pack(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat information;
    if (file < 0 || fstat(file, &information) != 0)
        fail(path);
    size_t size = (size_t)information.st_size;
    next_request = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (next_request == MAP_FAILED)
        fail("mmap");
    pack_end = next_request + size;
    latencies = malloc((size / sizeof(uint32_t) + 1) * sizeof *latencies);
    if (!latencies)
        fail("malloc");
}

static void run(int active, struct connection *connections) {
    struct epoll_event events[64];
    for (int index = 0; index < active; index++) {
        connections[index].socket = -1;
        if (take_request(&connections[index]))
            connect_again(&connections[index]);
    }
    for (;;) {
        int waiting = 0;
        for (int index = 0; index < active; index++)
            waiting += connections[index].request != NULL;
        if (waiting == 0)
            return;
        int count = epoll_wait(poller, events, 64, 1000);
        if (now() > deadline + 30)
            return;
        for (int index = 0; index < count; index++) {
            struct connection *connection = events[index].data.ptr;
            send_more(connection);
            receive(connection);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    server.sin_port = htons((uint16_t)atoi(argv[1]));
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int count = atoi(argv[2]);
    load_pack(argv[4]);
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct connection *connections = calloc((size_t)count, sizeof *connections);
    if (poller < 0 || !connections)
        fail("start");
    double start = now();
    deadline = start + atof(argv[3]);
    run(count, connections);
    double seconds = now() - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double processor =
        usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    qsort(latencies, (size_t)measured, sizeof *latencies, compare);
    double p50 = measured ? latencies[measured / 2] : 0;
    double p99 = measured ? latencies[measured * 99 / 100] : 0;
    printf("%ld %ld %ld %.3f %.3f %.3f %.3f\n", accepted, refused, failed, seconds, p50, p99, processor);
    return 0;
}
