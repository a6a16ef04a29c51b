/* The descriptors of the built-in units, each in its own file; units.c lists them. */
#ifndef BACKLINE_BUILT_IN_H
#define BACKLINE_BUILT_IN_H

#include "backline/unit.h"

#define BL_MANUFACTURER BL_FOUR_CHARACTER_CODE('b', 'k', 'l', 'n')
#define BL_MANUFACTURER_NAME "Backline"

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
