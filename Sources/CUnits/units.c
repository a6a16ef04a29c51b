#include "units.h"

#include "base/built_in.h"

static const bl_unit_descriptor *const units[] = {
    &bl_arpeggiator,  &bl_bit_crusher,   &bl_compressor, &bl_delay,          &bl_distortion,
    &bl_gain,         &bl_high_pass,     &bl_low_pass,   &bl_mixer,          &bl_octaver,
    &bl_panner,       &bl_pitch_shifter, &bl_player,     &bl_ring_modulator, &bl_sine_instrument,
    &bl_stereo_tools, &bl_transposer,    &bl_tremolo,    &bl_velocity_curve,
};

static const bl_unit_library library = {BL_ABI_VERSION, sizeof units / sizeof units[0], units};

const bl_unit_library *bl_built_in_units(void) { return &library; }
