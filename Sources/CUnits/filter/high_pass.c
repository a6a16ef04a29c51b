/* High-Pass Filter: removes the sound below the cutoff, 12 to 48 dB per octave. */
#define FILTER_TYPE BL_BAND_LOW_CUT
#define FILTER_DEFAULT_CUTOFF 200
#include "filter/filter.h"

const bl_unit_descriptor bl_high_pass = {
    BL_EFFECT('h', 'p', 'a', 's'),
    .name = "High-Pass Filter",
    .tags = tags,
    .summary =
        "Attenuates sound below the cutoff by 12 to 48 dB per octave; resonance boosts sound at "
        "the cutoff",
    .tail_time = tail_time,
};
