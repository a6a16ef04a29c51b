#include "sampler/nearest_name.h"

#include <string.h>

enum { LONGEST_NAME = 40 };

/* Letters to insert, delete and replace (Wagner and Fischer, "The string-to-string correction
   problem", 1974). */
static size_t edit_distance(const char *a, const char *b) {
    size_t width = strlen(b), row[LONGEST_NAME + 1];
    for (size_t column = 0; column <= width; column += 1) {
        row[column] = column;
    }
    for (size_t line = 1; line <= strlen(a); line += 1) {
        size_t corner = row[0];
        row[0] = line;
        for (size_t column = 1; column <= width; column += 1) {
            size_t replaced = corner + (a[line - 1] != b[column - 1]);
            corner = row[column];
            size_t added = (row[column] < row[column - 1] ? row[column] : row[column - 1]) + 1;
            row[column] = replaced < added ? replaced : added;
        }
    }
    return row[width];
}

const char *bl_nearest_name(const char *wrong, const char *const *names, size_t count,
                            size_t stride) {
    const char *nearest = NULL;
    size_t best = strlen(wrong) / 3 + 1;
    for (size_t index = 0; index < count && strlen(wrong) <= LONGEST_NAME; index += 1) {
        const char *name = *(const char *const *)((const char *)names + index * stride);
        if (strlen(name) <= LONGEST_NAME) {
            size_t distance = edit_distance(wrong, name);
            if (distance < best) {
                best = distance;
                nearest = name;
            }
        }
    }
    return nearest;
}
