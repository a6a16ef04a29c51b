/* How units open the files that their properties name, and say why they could not. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Writes "cannot open NAME: " and the reason into `message`. [control] */
__attribute__((format(printf, 4, 5))) void
bl_file_complain(char *message, size_t message_size, const char *path, const char *format, ...);

/* A descriptor of the regular file at `path` that is not empty, for reading; or -1, with the reason
   in `message`. [control] */
int bl_file_open(const char *path, char *message, size_t message_size);
/* The regular file at `path`, which may be empty, for reading; or NULL likewise. [control] */
FILE *bl_file_open_stream(const char *path, char *message, size_t message_size);
