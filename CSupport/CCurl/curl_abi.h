/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is used of the binary interface of libcurl.so.4, which libcurl keeps from version to version: a program is built
 * without libcurl's headers. abi_check.c compares it with these where they are installed.
 */
#ifndef VAKA_CURL_ABI_H
#define VAKA_CURL_ABI_H

#include <stdint.h>

typedef void curl_handle;
typedef int64_t curl_offset;
struct curl_list;

enum curl_code {
    CODE_OK = 0,
    CODE_UNSUPPORTED_PROTOCOL = 1,
    CODE_URL_MALFORMAT = 3,
    CODE_PARTIAL_FILE = 18,
    CODE_OUT_OF_MEMORY = 27,
    CODE_OPERATION_TIMEDOUT = 28,
    CODE_ABORTED_BY_CALLBACK = 42,
    CODE_GOT_NOTHING = 52,
    CODE_SEND_ERROR = 55,
    CODE_RECV_ERROR = 56,
    CODE_SSL_CACERT_BADFILE = 77,
};

enum curl_option {
    OPTION_LOW_SPEED_LIMIT = 19,
    OPTION_LOW_SPEED_TIME = 20,
    OPTION_NOPROGRESS = 43,
    OPTION_POST = 47,
    OPTION_FOLLOWLOCATION = 52,
    OPTION_MAXREDIRS = 68,
    OPTION_NOSIGNAL = 99,
    OPTION_TIMEOUT_MS = 155,
    OPTION_CONNECTTIMEOUT_MS = 156,
    OPTION_PROTOCOLS = 181,
    OPTION_REDIR_PROTOCOLS = 182,
    OPTION_WRITEDATA = 10001,
    OPTION_URL = 10002,
    OPTION_PROXY = 10004,
    OPTION_READDATA = 10009,
    OPTION_ERRORBUFFER = 10010,
    OPTION_POSTFIELDS = 10015,
    OPTION_HTTPHEADER = 10023,
    OPTION_HEADERDATA = 10029,
    OPTION_XFERINFODATA = 10057,
    OPTION_CAINFO = 10065,
    OPTION_SEEKDATA = 10168,
    OPTION_WRITEFUNCTION = 20011,
    OPTION_READFUNCTION = 20012,
    OPTION_HEADERFUNCTION = 20079,
    OPTION_SEEKFUNCTION = 20167,
    OPTION_XFERINFOFUNCTION = 20219,
    OPTION_POSTFIELDSIZE_LARGE = 30120,
};

enum curl_information { INFORMATION_RESPONSE_CODE = 0x200002 };

enum curl_constant {
    GLOBAL_ALL = 3,
    PROTOCOL_HTTP = 1,
    PROTOCOL_HTTPS = 2,
    READ_ABORT = 0x10000000,
    SEEK_DONE = 0,
    SEEK_FAILED = 1,
    SEEK_IMPOSSIBLE = 2,
    ERROR_BYTES = 256,
};

#endif
