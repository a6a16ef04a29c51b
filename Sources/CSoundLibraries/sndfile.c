#define LIBRARY "libsndfile.so.1"
#define PACKAGE "libsndfile1"
#include "forward.h"

#include <stdint.h>

/* Hidden, so that the library's own calls never come here. */
#pragma GCC visibility push(hidden)
#include "CSoundLibraries.h"
#pragma GCC visibility pop

FORWARD(SNDFILE *, sf_open, (const char *path, int mode, SF_INFO *info), (path, mode, info), NULL)
FORWARD(SNDFILE *, sf_open_fd, (int descriptor, int mode, SF_INFO *info, int closes),
        (descriptor, mode, info, closes), NULL)
FORWARD(SNDFILE *, sf_open_virtual, (SF_VIRTUAL_IO * calls, int mode, SF_INFO *info, void *context),
        (calls, mode, info, context), NULL)
FORWARD(int, sf_close, (SNDFILE * file), (file), 0)
FORWARD(int, sf_command, (SNDFILE * file, int command, void *data, int size),
        (file, command, data, size), 0)
FORWARD(int, sf_format_check, (const SF_INFO *info), (info), 1)
FORWARD(sf_count_t, sf_seek, (SNDFILE * file, sf_count_t frames, int whence),
        (file, frames, whence), -1)
FORWARD(sf_count_t, sf_readf_float, (SNDFILE * file, float *samples, sf_count_t frames),
        (file, samples, frames), 0)
FORWARD(sf_count_t, sf_writef_float, (SNDFILE * file, const float *samples, sf_count_t frames),
        (file, samples, frames), 0)
FORWARD(sf_count_t, sf_writef_int, (SNDFILE * file, const int *samples, sf_count_t frames),
        (file, samples, frames), 0)
FORWARD(const char *, sf_strerror, (SNDFILE * file), (file), failure)
FORWARD(const char *, sf_error_number, (int number), (number), failure)
