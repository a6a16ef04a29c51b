/* The descriptors of the built-in units, each in its own file; units.c has their table. */
#pragma once

#include "base/kit.h"
#include "base/parameters.h"

/* The members shared by the descriptors of all built-in units: `type/ABCD/bkln`, version 1.0.0, the
   tables to which each unit's file gives these names, and the functions of its kit. */
#define BL_BUILT_IN(TYPE, A, B, C, D)                                                              \
    .abi_version = BL_ABI_VERSION, .size = sizeof(bl_unit_descriptor),                             \
    .component = {TYPE, BL_FOUR_CHARACTER_CODE(A, B, C, D),                                        \
                  BL_FOUR_CHARACTER_CODE('b', 'k', 'l', 'n')},                                     \
    .version = 0x00010000, .manufacturer_name = "Backline", .parameters = parameters,              \
    .parameter_count = sizeof parameters / sizeof parameters[0], BL_KIT_MEMBERS

/* The member `tags`. */
#define BL_TAGS(...)                                                                               \
    .tags = (const char *const[]) { __VA_ARGS__, NULL }

/* A row of a table of factory presets: the name, then {parameter, value} for each parameter that
   does not take its default. */
#define BL_PRESET(NAME, ...)                                                                       \
    {                                                                                              \
        NAME, (const bl_preset_value[]){__VA_ARGS__},                                              \
            sizeof((const bl_preset_value[]){__VA_ARGS__}) / sizeof(bl_preset_value)               \
    }

/* The tables of some descriptors, with the names `capabilities`, `groups`, `presets`, `properties`
   and `telemetry`; with the functions `set_property` and `read_telemetry`. */
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

/* All built-in units, in the order of their names. */
#define BL_BUILT_IN_UNITS(UNIT)                                                                    \
    UNIT(analogue_filter_unit), UNIT(arpeggiator), UNIT(bit_crusher), UNIT(cabinet), UNIT(chord),  \
        UNIT(chorus), UNIT(compressor), UNIT(convolver), UNIT(de_esser), UNIT(delay),              \
        UNIT(denoiser), UNIT(distortion), UNIT(drum_machine), UNIT(envelope_follower),             \
        UNIT(envelope_generator), UNIT(fade), UNIT(flanger), UNIT(fm_synth),                       \
        UNIT(format_converter), UNIT(gain), UNIT(granular), UNIT(graphic_eq), UNIT(graphic_eq_31), \
        UNIT(guitar_amp), UNIT(high_pass), UNIT(humanise), UNIT(lfo), UNIT(limiter), UNIT(looper), \
        UNIT(loudness_meter), UNIT(low_pass), UNIT(macro), UNIT(midi_clock), UNIT(midi_echo),      \
        UNIT(midi_filter), UNIT(midi_lfo), UNIT(midi_to_control), UNIT(mixer), UNIT(mono),         \
        UNIT(multiband_compressor), UNIT(neural_amp), UNIT(noise_gate), UNIT(normalise),           \
        UNIT(octaver), UNIT(overdrive), UNIT(panner), UNIT(parametric_eq), UNIT(phaser),           \
        UNIT(pitch_shifter), UNIT(player), UNIT(poly_synth), UNIT(reverb), UNIT(reverse),          \
        UNIT(ring_modulator), UNIT(rotary), UNIT(sample_and_hold), UNIT(sampler), UNIT(scale),     \
        UNIT(sine_instrument), UNIT(spring_reverb), UNIT(step_sequencer), UNIT(stereo_tools),      \
        UNIT(stretch), UNIT(tape), UNIT(transient_shaper), UNIT(transposer), UNIT(tremolo),        \
        UNIT(trim), UNIT(tuner), UNIT(velocity_curve), UNIT(vocoder_unit), UNIT(wah)
#define BL_BUILT_IN_NAME(UNIT) bl_##UNIT
extern const bl_unit_descriptor BL_BUILT_IN_UNITS(BL_BUILT_IN_NAME);
