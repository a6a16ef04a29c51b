/* Suggestions for a misspelt name. */
#pragma once

#include <stddef.h>

/* The most similar name to `wrong` among `count`, `stride` bytes apart; NULL if none is similar. */
const char *bl_nearest_name(const char *wrong, const char *const *names, size_t count,
                            size_t stride);
