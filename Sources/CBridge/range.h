/* Sanitizes a control port's metadata: one answer for each way in which it can be wrong
   (docs/reference/plug-ins.md). Pure. */
#pragma once

#include "plug_in.h"

/* A plug-in's statements about a control port; NAN for missing ones. */
typedef struct bl_stated_range {
    float minimum, maximum, default_value;
    bool is_logarithmic, is_integer, is_toggled;
    /* Whether the bounds, and the default if it is not absolute, are fractions of the sample
       rate. */
    bool is_scaled, is_default_scaled;
} bl_stated_range;

/* Sets range, default, curve and flags of `info`, and the port's side of `parameter`. False if the
   range has only one value, `info->default_value`, and is not a parameter. */
bool bl_range_resolve(const bl_stated_range *stated, bl_arena *arena, bl_parameter_info *info,
                      bl_plug_in_parameter *parameter);

/* One named value of a port. */
typedef struct bl_named_value {
    float value;
    const char *name;
} bl_named_value;

/* Makes the parameter a choice among the named values, which are sorted here. Call bl_range_resolve
   first. */
void bl_range_name_values(bl_named_value *values, uint32_t count, bl_arena *arena,
                          bl_parameter_info *info, bl_plug_in_parameter *parameter);

/* Names integers without a unit by their digits, so that hosts show steps. */
void bl_range_name_whole_numbers(bl_arena *arena, bl_parameter_info *info);

/* Returns the port's value for a parameter's value at that sample rate, and back. [any] */
float bl_range_to_port(const bl_plug_in_parameter *parameter, float value,
                       double sample_rate) BL_NONBLOCKING;
float bl_range_from_port(const bl_plug_in_parameter *parameter, float value) BL_NONBLOCKING;
