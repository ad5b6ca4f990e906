#pragma once

#include <sqlite3.h>
#include <stddef.h>

/// SQLITE_TRANSIENT is a cast macro, which Swift does not import: SQLite copies
/// what is bound.
static inline int csqlite_bind_text_copying(sqlite3_stmt *statement, int index, const char *text,
                                            int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob_copying(sqlite3_stmt *statement, int index, const void *data,
                                            int bytes) {
  return data == NULL ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob(statement, index, data, bytes, SQLITE_TRANSIENT);
}
