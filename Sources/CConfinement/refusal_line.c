#include "confinement/refusal_line.h"

#include <unistd.h>

#include "told.h"

static int target = -1;

void bl_refusal_write_to(int descriptor) { target = descriptor; }

void bl_refusal_write(const char *refusal) {
    char line[600];
    size_t length = 0;
    bl_text_append(line, sizeof line - 1, &length, BL_REFUSAL_PREFIX);
    bl_text_append(line, sizeof line - 1, &length, refusal);
    for (size_t index = 0; index < length; index += 1) {
        unsigned char character = (unsigned char)line[index];
        if (character < 0x20 || character >= 0x7F) {
            line[index] = '?';
        }
    }
    line[length] = '\n';
    /* Where nobody reads it any more there is nobody to tell. */
    (void)!write(target, line, length + 1);
}
