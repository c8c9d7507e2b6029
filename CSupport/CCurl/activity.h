/* SPDX-License-Identifier: Apache-2.0 */
/* Which exchanges are under way, so that the process's end can break them off. Thread-safe. */
#ifndef VAKA_CURL_ACTIVITY_H
#define VAKA_CURL_ACTIVITY_H

/* This process is the one whose exchanges these are: a forked child has the counts, but none of the threads. */
void vaka_curl_activity_own(void);

/* Non-zero where it may go on; vaka_curl_activity_end() is then owed. */
int vaka_curl_activity_begin(void);
void vaka_curl_activity_end(void);

/* Whether what is under way is to be broken off. */
int vaka_curl_activity_is_over(void);

#endif
