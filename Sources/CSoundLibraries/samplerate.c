#define LIBRARY "libsamplerate.so.0"
#define PACKAGE "libsamplerate0"
#include "forward.h"

#include <stdint.h>

/* Hidden, so that the library's own calls never come here. */
#pragma GCC visibility push(hidden)
#include "CSoundLibraries.h"
#pragma GCC visibility pop

FORWARD(SRC_STATE *, src_new, (int quality, int channels, int *error), (quality, channels, error),
        NULL)
FORWARD(SRC_STATE *, src_delete, (SRC_STATE * state), (state), NULL)
FORWARD(int, src_process, (SRC_STATE * state, SRC_DATA *data), (state, data), 1)
FORWARD(int, src_reset, (SRC_STATE * state), (state), 1)
FORWARD(int, src_is_valid_ratio, (double ratio), (ratio), 1)
FORWARD(const char *, src_strerror, (int error), (error), failure)
