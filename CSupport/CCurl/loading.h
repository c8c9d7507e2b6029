/* SPDX-License-Identifier: Apache-2.0 */
/* A load of libraries, which neither a fork nor the process's end may meet half done. */
#ifndef VAKA_CURL_LOADING_H
#define VAKA_CURL_LOADING_H

void vaka_curl_loading_begin(void);
void vaka_curl_loading_end(void);

#endif
