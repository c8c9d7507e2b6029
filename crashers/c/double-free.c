/* SPDX-License-Identifier: Apache-2.0 */
/* Two owners of one buffer, each of which lets it go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
    char *token;
    char *alias;
};

__attribute__((noinline)) static void open_session(struct session *session, const char *token) {
    session->token = malloc(64);
    strncpy(session->token, token, 63);
    session->token[63] = '\0';
    session->alias = session->token;
}

__attribute__((noinline)) static int close_session(struct session *session) {
    free(session->token);
    free(session->alias);
    return session->token != NULL;
}

__attribute__((noinline)) static int serve_request(const char *token) {
    struct session session;
    open_session(&session, token);
    printf("serving %s\n", session.token);
    int closed = close_session(&session);
    return closed + 1;
}

int main(void) {
    int served = serve_request("token-1");
    printf("served %d\n", served);
    return 0;
}
