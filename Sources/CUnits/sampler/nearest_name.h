/* What somebody may have meant. */
#pragma once

#include <stddef.h>

/* A name among `count`, with `stride` bytes between, that may be meant by `wrong`; NULL if none is
   like it. */
const char *bl_nearest_name(const char *wrong, const char *const *names, size_t count,
                            size_t stride);
