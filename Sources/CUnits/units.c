#include "units.h"

#include "base/built_in.h"

static const bl_unit_descriptor *const units[] = {
    &bl_analogue_filter_unit,
    &bl_arpeggiator,
    &bl_bit_crusher,
    &bl_cabinet,
    &bl_chorus,
    &bl_compressor,
    &bl_convolver,
    &bl_de_esser,
    &bl_delay,
    &bl_distortion,
    &bl_envelope_follower,
    &bl_envelope_generator,
    &bl_flanger,
    &bl_format_converter,
    &bl_gain,
    &bl_graphic_eq,
    &bl_graphic_eq_31,
    &bl_high_pass,
    &bl_lfo,
    &bl_limiter,
    &bl_looper,
    &bl_loudness_meter,
    &bl_low_pass,
    &bl_macro,
    &bl_midi_to_control,
    &bl_mixer,
    &bl_noise_gate,
    &bl_octaver,
    &bl_panner,
    &bl_parametric_eq,
    &bl_phaser,
    &bl_pitch_shifter,
    &bl_player,
    &bl_reverb,
    &bl_ring_modulator,
    &bl_rotary,
    &bl_sample_and_hold,
    &bl_sine_instrument,
    &bl_stereo_tools,
    &bl_transposer,
    &bl_tremolo,
    &bl_tuner,
    &bl_velocity_curve,
    &bl_wah,
};

static const bl_unit_library library = {BL_ABI_VERSION, sizeof units / sizeof units[0], units};

const bl_unit_library *bl_built_in_units(void) { return &library; }
