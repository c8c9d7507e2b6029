/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a record whose field count does not fit its header. */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>

struct record {
    int declared_fields;
    int fields;
};

__attribute__((noinline)) static int parse_record(const char *line, struct record *record) {
    record->fields = 1;
    for (; *line != '\0'; line++)
        record->fields += *line == ';';
    assert(record->fields == record->declared_fields);
    return record->fields;
}

__attribute__((noinline)) static int parse_file(const char *const *lines, int count) {
    int fields = 0;
    struct record record = {3, 0};
    for (int i = 0; i < count; i++)
        fields += parse_record(lines[i], &record);
    return fields;
}

int main(void) {
    const char *const lines[] = {"a;b;c", "d;e"};
    int fields = parse_file(lines, 2);
    printf("%d fields\n", fields);
    return 0;
}
