// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// How far the spool's journal has been sorted into the database.
    static let journal = """
        CREATE TABLE spool_journal (
            id INTEGER PRIMARY KEY CHECK (id = 1), segment INTEGER NOT NULL, position INTEGER NOT NULL);
        """
}
