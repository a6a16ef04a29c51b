/* Reads a sound faster or slower: a windowed sinc with a cutoff below half of the slower of the two
   rates. J. O. Smith and P. Gossett, "A flexible sampling-rate conversion method", 1984; J. F.
   Kaiser's window, 1974. */
#pragma once

#include <math.h>

#include "dsp/sinc.h"

enum {
    TRANSPOSITION_ZEROS = 24,   /* zeros of the sinc on either side */
    TRANSPOSITION_PLACES = 512, /* table entries between zeros */
    TRANSPOSITION_TABLE = TRANSPOSITION_ZEROS * TRANSPOSITION_PLACES,
    /* Frames on either side of a position, at four times the speed. */
    TRANSPOSITION_REACH = 4 * TRANSPOSITION_ZEROS + 2
};

typedef struct transposition {
    double scale;                         /* scale of the sinc: 1, or less for a faster sound */
    float table[TRANSPOSITION_TABLE + 2]; /* one half of it */
} transposition;

/* Prepares for reading `pitch` times as fast, 1/4 to 4. [control] */
static inline void transposition_prepare(transposition *transposition, double pitch) {
    const double pi = 3.14159265358979324, beta = 10;
    transposition->scale = pitch > 1 ? 1 / pitch : 1;
    for (int place = 0; place < TRANSPOSITION_TABLE; place += 1) {
        double x = (double)place / TRANSPOSITION_PLACES;
        double part = x / TRANSPOSITION_ZEROS;
        double window = bl_bessel_i0(beta * sqrt(1 - part * part)) / bl_bessel_i0(beta);
        double sinc = place == 0 ? 1 : sin(pi * x) / (pi * x);
        transposition->table[place] = (float)(window * sinc * transposition->scale);
    }
    transposition->table[TRANSPOSITION_TABLE] = 0;
    transposition->table[TRANSPOSITION_TABLE + 1] = 0;
}

/* Computes the taps for the position `part` (0 to 1) between tap [count / 2 - 1] and the next;
   returns the count. [render] */
BL_INLINE int transposition_taps(const transposition *transposition, double part,
                                 float taps[2 * TRANSPOSITION_REACH]) BL_NONBLOCKING {
    int reach = (int)ceil(TRANSPOSITION_ZEROS / transposition->scale);
    double step = transposition->scale * TRANSPOSITION_PLACES;
    for (int tap = 0; tap < 2 * reach; tap += 1) {
        double place = fabs(tap - (reach - 1) - part) * step;
        int row = place < TRANSPOSITION_TABLE ? (int)place : TRANSPOSITION_TABLE;
        float rest = (float)(place - row);
        const float *values = transposition->table + row;
        taps[tap] = row < TRANSPOSITION_TABLE ? values[0] + rest * (values[1] - values[0]) : 0;
    }
    return 2 * reach;
}
