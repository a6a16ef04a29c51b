/* Loudness by libebur128 (MIT), an independent reference. The library is loaded when it is used;
   tests that need it are skipped if it is not installed. */
#ifndef BACKLINE_LOUDNESS_PEER_H
#define BACKLINE_LOUDNESS_PEER_H

#include <stdbool.h>
#include <stddef.h>

/* LUFS, LU, dBTP. */
typedef struct bl_loudness_peer {
    double momentary, short_term, integrated, range, true_peak;
} bl_loudness_peer;

/* Whether libebur128.so.1 can be loaded. */
bool bl_loudness_peer_is_installed(void);

/* Measures `samples`, frames × channels. False where the library is missing or fails. */
bool bl_loudness_peer_measure(const float *samples, size_t frames, unsigned channels,
                              unsigned long sample_rate, bl_loudness_peer *loudness);

#endif
