/* SPDX-License-Identifier: Apache-2.0 */
/* zlib's reader and writer of zip files. Provider: libminizip-dev. */
#ifndef VAKA_CMINIZIP_SHIM_H
#define VAKA_CMINIZIP_SHIM_H
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdio.h>
#include <string.h>

static inline voidpf vaka_zip_stream(voidpf stream, const void *name, int mode) {
    (void)name;
    (void)mode;
    return stream;
}

/* Reads from a stream that is open already, so that what was checked is what is read. Closing the zip file closes it. */
static inline unzFile vaka_unzip_open(FILE *_Nonnull stream) {
    zlib_filefunc64_def functions;
    fill_fopen64_filefunc(&functions);
    functions.zopen64_file = vaka_zip_stream;
    functions.opaque = stream;
    return unzOpen2_64("", &functions);
}

/* Writes to a stream that is open already. */
static inline zipFile vaka_zip_create(FILE *_Nonnull stream) {
    zlib_filefunc64_def functions;
    fill_fopen64_filefunc(&functions);
    functions.zopen64_file = vaka_zip_stream;
    functions.opaque = stream;
    return zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
}

/* Begins an entry that depends on its name and contents alone: deflated, of the first day that zip files know, mode 0644. */
static inline int vaka_zip_begin_entry(zipFile _Nonnull file, const char *_Nonnull name) {
    zip_fileinfo information;
    memset(&information, 0, sizeof information);
    information.dosDate = 1 << 21 | 1 << 16;
    information.external_fa = 0100644UL << 16;
    enum { made_on_unix = 3 << 8 | 20, level = 6 };
    return zipOpenNewFileInZip4_64(file, name, &information, NULL, 0, NULL, 0, NULL, Z_DEFLATED, level, 0, -MAX_WBITS,
                                   DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, made_on_unix, 0, 0);
}
#endif
