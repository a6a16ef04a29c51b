/* The descriptors of the built-in units, each in its own file; units.c lists them. */
#ifndef BACKLINE_BUILT_IN_H
#define BACKLINE_BUILT_IN_H

#include "backline/unit.h"

/* What the descriptors of all built-in units say alike: `type/ABCD/bkln`, version 1.0.0. */
#define BL_BUILT_IN(TYPE, A, B, C, D)                                                              \
    .abi_version = BL_ABI_VERSION,                                                                 \
    .component = {TYPE, BL_FOUR_CHARACTER_CODE(A, B, C, D),                                        \
                  BL_FOUR_CHARACTER_CODE('b', 'k', 'l', 'n')},                                     \
    .version = 0x00010000, .manufacturer_name = "Backline"

extern const bl_unit_descriptor bl_arpeggiator;
extern const bl_unit_descriptor bl_compressor;
extern const bl_unit_descriptor bl_delay;
extern const bl_unit_descriptor bl_distortion;
extern const bl_unit_descriptor bl_gain;
extern const bl_unit_descriptor bl_high_pass;
extern const bl_unit_descriptor bl_low_pass;
extern const bl_unit_descriptor bl_mixer;
extern const bl_unit_descriptor bl_player;
extern const bl_unit_descriptor bl_ring_modulator;
extern const bl_unit_descriptor bl_sine_instrument;
extern const bl_unit_descriptor bl_transposer;
extern const bl_unit_descriptor bl_tremolo;
extern const bl_unit_descriptor bl_velocity_curve;

#endif
