/* Decodes the text of SFZ files in their various encodings. */
#pragma once

#include <stddef.h>

/* Decodes the bytes of a file, without a byte order mark and the end mark of old editors; returns
   them ended by 0, and their number in `size`: UTF-16 as UTF-8, any other encoding unchanged,
   except for the no-break spaces of web pages, which become spaces. `bytes`, which must have room
   for one more, is returned or freed. NULL when memory is short. [control] */
char *bl_sfz_decode(char *bytes, size_t *size);
