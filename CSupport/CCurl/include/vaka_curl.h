/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_CURL_H
#define VAKA_CURL_H
#endif
