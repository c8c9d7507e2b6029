/* SPDX-License-Identifier: Apache-2.0 */
/* Which exchanges are under way, so that the process's end can break them off. Thread-safe. */
#ifndef VAKA_CURL_ACTIVITY_H
#define VAKA_CURL_ACTIVITY_H

/* Non-zero where it may go on; vaka_curl_activity_end() is then owed. */
int vaka_curl_activity_begin(void);
void vaka_curl_activity_end(void);

/* Whether what is under way is to be broken off. */
int vaka_curl_activity_is_over(void);

/* Breaks off what is under way, and waits for it. */
void vaka_curl_activity_break_off(void);

#endif
