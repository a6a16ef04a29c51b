/* Low-Pass Filter: removes the sound above the cutoff, 12 to 48 dB per octave. */
#define FILTER_TYPE BL_BAND_HIGH_CUT
#define FILTER_DEFAULT_CUTOFF 1000
#include "filter/filter.h"

const bl_unit_descriptor bl_low_pass = {
    BL_EFFECT('l', 'p', 'a', 's'),
    .name = "Low-Pass Filter",
    .tags = tags,
    .summary =
        "Attenuates sound above the cutoff by 12 to 48 dB per octave; resonance boosts sound at "
        "the cutoff",
    .tail_time = tail_time,
};
