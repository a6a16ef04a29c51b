/* Defined for F_DUPFD_CLOEXEC and pread. */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CSoundLibraries.h"

/* Returns the size of an uncompressed sample, bytes; 0 for other formats. */
static uint32_t bytes_of(int format) {
    switch (format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_U8:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW: return 1;
    case SF_FORMAT_PCM_16: return 2;
    case SF_FORMAT_PCM_24: return 3;
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_FLOAT: return 4;
    case SF_FORMAT_DOUBLE: return 8;
    default: return 0;
    }
}

/* Returns the start of the samples of a WAV file whose header says that there are none; 0 for other
   files. A chunk is a name, a size and content, padded to an even number of bytes. */
static off_t find_samples(int descriptor) {
    unsigned char chunk[8];
    for (off_t place = 12; pread(descriptor, chunk, 8, place) == 8;) {
        uint32_t size = chunk[4] | (uint32_t)chunk[5] << 8 | (uint32_t)chunk[6] << 16 |
                        (uint32_t)chunk[7] << 24;
        if (memcmp(chunk, "data", 4) == 0) {
            return size == 0 || size == UINT32_MAX ? place + 8 : 0;
        }
        place += 8 + (off_t)size + (size & 1);
    }
    return 0;
}

static SNDFILE *open_unfinished(int descriptor, SF_INFO *info) {
    int type = info->format & SF_FORMAT_TYPEMASK;
    bool is_wave = type == SF_FORMAT_WAV || type == SF_FORMAT_WAVEX || type == SF_FORMAT_RF64;
    sf_count_t start = is_wave ? find_samples(descriptor) : 0;
    sf_count_t frame = (sf_count_t)bytes_of(info->format) * info->channels;
    struct stat facts;
    if (start == 0 || frame == 0 || fstat(descriptor, &facts) != 0 ||
        facts.st_size - start < frame) {
        return NULL;
    }
    SF_INFO raw = {
        .samplerate = info->samplerate,
        .channels = info->channels,
        .format = SF_FORMAT_RAW | SF_ENDIAN_LITTLE | (info->format & SF_FORMAT_SUBMASK),
    };
    lseek(descriptor, 0, SEEK_SET);
    SNDFILE *file = sf_open_fd(descriptor, SFM_READ, &raw, SF_TRUE);
    if (file != NULL) {
        sf_command(file, SFC_SET_RAW_START_OFFSET, &start, sizeof start);
        sf_seek(file, 0, SEEK_SET); /* The command alone does not move there. */
        info->frames = (facts.st_size - start) / frame;
    }
    return file;
}

/* Counts the frames up to the end of the file. */
static sf_count_t count_frames(SNDFILE *file, int channels) {
    enum { AT_ONCE = 16384 };
    float *samples = malloc((size_t)AT_ONCE * (size_t)channels * sizeof(float));
    sf_count_t count = 0, got = samples != NULL ? AT_ONCE : 0;
    while (got > 0) {
        got = sf_readf_float(file, samples, AT_ONCE);
        count += got > 0 ? got : 0;
    }
    free(samples);
    return count;
}

SNDFILE *bl_sound_open(int descriptor, SF_INFO *info, bool *is_unfinished) {
    /* Duplicate the descriptor: libsndfile closes those it refuses, and those that it owns. */
    int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    SNDFILE *file = own >= 0 ? sf_open_fd(own, SFM_READ, info, SF_TRUE) : NULL;
    *is_unfinished = false;
    if (file == NULL || (info->frames > 0 && info->frames < SF_COUNT_MAX)) {
        return file;
    }
    if (info->frames == SF_COUNT_MAX) {
        sf_count_t frames = count_frames(file, info->channels);
        sf_close(file);
        own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        lseek(descriptor, 0, SEEK_SET);
        file = own >= 0 ? sf_open_fd(own, SFM_READ, info, SF_TRUE) : NULL;
        info->frames = frames;
        *is_unfinished = true;
        return file;
    }
    int again = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    SNDFILE *unfinished = again >= 0 ? open_unfinished(again, info) : NULL;
    if (unfinished == NULL) {
        if (again >= 0) {
            close(again);
        }
        return file;
    }
    sf_close(file);
    *is_unfinished = true;
    return unfinished;
}
