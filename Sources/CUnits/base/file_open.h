/* Opens the files that units' properties name, with a reason on failure. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Writes "cannot open NAME: " and the reason into `message`. [control] */
__attribute__((format(printf, 4, 5))) void
bl_file_complain(char *message, size_t message_size, const char *path, const char *format, ...);

/* Opens the regular, non-empty file at `path` for reading. Returns a descriptor; or -1, with the
   reason in `message`. [control] */
int bl_file_open(const char *path, char *message, size_t message_size);
/* Opens the regular file at `path`, which may be empty, for reading; or NULL, with the reason in
   `message`. [control] */
FILE *bl_file_open_stream(const char *path, char *message, size_t message_size);
