/* The descriptors of the built-in units, each in its own file; units.c lists them. */
#ifndef BACKLINE_BUILT_IN_H
#define BACKLINE_BUILT_IN_H

#include "base/kit.h"
#include "base/parameters.h"

/* The members that the descriptors of all built-in units share: `type/ABCD/bkln`, version 1.0.0,
   the tables to which each unit's file gives these names, and the functions of its kit. */
#define BL_BUILT_IN(TYPE, A, B, C, D)                                                              \
    .abi_version = BL_ABI_VERSION, .size = sizeof(bl_unit_descriptor),                             \
    .component = {TYPE, BL_FOUR_CHARACTER_CODE(A, B, C, D),                                        \
                  BL_FOUR_CHARACTER_CODE('b', 'k', 'l', 'n')},                                     \
    .version = 0x00010000, .manufacturer_name = "Backline", .tags = tags,                          \
    .parameters = parameters, .parameter_count = sizeof parameters / sizeof parameters[0],         \
    BL_KIT_MEMBERS

/* A row of a table of factory presets: the name, then {parameter, value} for each parameter that
   does not take its default. */
#define BL_PRESET(NAME, ...)                                                                       \
    {                                                                                              \
        NAME, (const bl_preset_value[]){__VA_ARGS__},                                              \
            sizeof((const bl_preset_value[]){__VA_ARGS__}) / sizeof(bl_preset_value)               \
    }

/* The tables that some descriptors have, under the names `capabilities`, `groups`, `presets`,
   `properties` and `telemetry`; with the functions `set_property` and `read_telemetry`. */
#define BL_CHANNEL_CAPABILITIES                                                                    \
    .channel_capabilities = capabilities,                                                          \
    .channel_capability_count = sizeof capabilities / sizeof capabilities[0]
#define BL_PARAMETER_GROUPS                                                                        \
    .parameter_groups = groups, .parameter_group_count = sizeof groups / sizeof groups[0]
#define BL_FACTORY_PRESETS                                                                         \
    .factory_presets = presets, .factory_preset_count = sizeof presets / sizeof presets[0]
#define BL_PROPERTIES                                                                              \
    .properties = properties, .property_count = sizeof properties / sizeof properties[0],          \
    .set_property = set_property
#define BL_TELEMETRY                                                                               \
    .telemetry = telemetry, .telemetry_count = sizeof telemetry / sizeof telemetry[0],             \
    .read_telemetry = read_telemetry

extern const bl_unit_descriptor bl_analogue_filter_unit;
extern const bl_unit_descriptor bl_arpeggiator;
extern const bl_unit_descriptor bl_bit_crusher;
extern const bl_unit_descriptor bl_cabinet;
extern const bl_unit_descriptor bl_chord;
extern const bl_unit_descriptor bl_chorus;
extern const bl_unit_descriptor bl_compressor;
extern const bl_unit_descriptor bl_convolver;
extern const bl_unit_descriptor bl_de_esser;
extern const bl_unit_descriptor bl_delay;
extern const bl_unit_descriptor bl_denoiser;
extern const bl_unit_descriptor bl_distortion;
extern const bl_unit_descriptor bl_drum_machine;
extern const bl_unit_descriptor bl_envelope_follower;
extern const bl_unit_descriptor bl_envelope_generator;
extern const bl_unit_descriptor bl_fade;
extern const bl_unit_descriptor bl_flanger;
extern const bl_unit_descriptor bl_fm_synth;
extern const bl_unit_descriptor bl_format_converter;
extern const bl_unit_descriptor bl_gain;
extern const bl_unit_descriptor bl_granular;
extern const bl_unit_descriptor bl_graphic_eq;
extern const bl_unit_descriptor bl_graphic_eq_31;
extern const bl_unit_descriptor bl_guitar_amp;
extern const bl_unit_descriptor bl_high_pass;
extern const bl_unit_descriptor bl_humanise;
extern const bl_unit_descriptor bl_lfo;
extern const bl_unit_descriptor bl_limiter;
extern const bl_unit_descriptor bl_looper;
extern const bl_unit_descriptor bl_loudness_meter;
extern const bl_unit_descriptor bl_low_pass;
extern const bl_unit_descriptor bl_macro;
extern const bl_unit_descriptor bl_midi_clock;
extern const bl_unit_descriptor bl_midi_echo;
extern const bl_unit_descriptor bl_midi_filter;
extern const bl_unit_descriptor bl_midi_lfo;
extern const bl_unit_descriptor bl_midi_to_control;
extern const bl_unit_descriptor bl_mixer;
extern const bl_unit_descriptor bl_mono;
extern const bl_unit_descriptor bl_neural_amp;
extern const bl_unit_descriptor bl_multiband_compressor;
extern const bl_unit_descriptor bl_noise_gate;
extern const bl_unit_descriptor bl_normalise;
extern const bl_unit_descriptor bl_octaver;
extern const bl_unit_descriptor bl_overdrive;
extern const bl_unit_descriptor bl_panner;
extern const bl_unit_descriptor bl_parametric_eq;
extern const bl_unit_descriptor bl_phaser;
extern const bl_unit_descriptor bl_pitch_shifter;
extern const bl_unit_descriptor bl_player;
extern const bl_unit_descriptor bl_poly_synth;
extern const bl_unit_descriptor bl_reverb;
extern const bl_unit_descriptor bl_reverse;
extern const bl_unit_descriptor bl_ring_modulator;
extern const bl_unit_descriptor bl_rotary;
extern const bl_unit_descriptor bl_sample_and_hold;
extern const bl_unit_descriptor bl_sampler;
extern const bl_unit_descriptor bl_scale;
extern const bl_unit_descriptor bl_sine_instrument;
extern const bl_unit_descriptor bl_spring_reverb;
extern const bl_unit_descriptor bl_step_sequencer;
extern const bl_unit_descriptor bl_stereo_tools;
extern const bl_unit_descriptor bl_stretch;
extern const bl_unit_descriptor bl_tape;
extern const bl_unit_descriptor bl_transient_shaper;
extern const bl_unit_descriptor bl_transposer;
extern const bl_unit_descriptor bl_tremolo;
extern const bl_unit_descriptor bl_trim;
extern const bl_unit_descriptor bl_tuner;
extern const bl_unit_descriptor bl_velocity_curve;
extern const bl_unit_descriptor bl_vocoder_unit;
extern const bl_unit_descriptor bl_wah;

#endif
