// SPDX-License-Identifier: Apache-2.0
// Opens a database whose schema is newer than the program; nobody catches what that throws.
#include <cstdio>
#include <stdexcept>

struct Database {
    const char *path;
    int schema;
};

__attribute__((noinline)) static int checkSchema(const volatile Database &database) {
    if (database.schema > 7)
        throw std::runtime_error("the schema of orders.db is too new");
    return database.schema;
}

__attribute__((noinline)) static int openDatabase(const char *path, int expected) {
    Database database{path, 9};
    int schema = checkSchema(database);
    return schema - expected;
}

int main() {
    int newer = openDatabase("orders.db", 7);
    std::printf("%d\n", newer);
    return 0;
}
