/* Low-Pass Filter: removes the sound above the cutoff, 12 dB per octave. */
#define FILTER_OUTPUT low
#define FILTER_DEFAULT_CUTOFF 1000
#include "filter/filter.h"

const bl_unit_descriptor bl_low_pass = {
    BL_BUILT_IN(BL_TYPE_EFFECT, 'l', 'p', 'a', 's'),
    .name = "Low-Pass Filter",
    .summary = "Attenuates sound above the cutoff by 12 dB per octave; resonance boosts sound at "
               "the cutoff",
    FILTER_DESCRIPTOR,
};
