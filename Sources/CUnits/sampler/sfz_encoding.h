/* Texts of SFZ files as people have them. */
#pragma once

#include <stddef.h>

/* The bytes of a file, without a byte order mark and what old editors write behind the end, ended
   by 0, and their number in `size`: UTF-16 as UTF-8, any other encoding as it is, but for the
   no-break spaces of web pages, which are spaces. `bytes`, which
   has room for one more, is returned or freed. NULL when memory is short. [control] */
char *bl_sfz_decode(char *bytes, size_t *size);
