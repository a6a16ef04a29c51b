/* A control port's metadata made sane: one answer for each way in which it can be wrong
   (docs/reference/plug-ins.md). Pure. */
#pragma once

#include "plug_in.h"

/* What a plug-in says of a control port; NAN where it says nothing. */
typedef struct bl_stated_range {
    float minimum, maximum, default_value;
    bool is_logarithmic, is_integer, is_toggled;
    /* The bounds, and the default where it is not an absolute number, are parts of the rate. */
    bool is_scaled, is_default_scaled;
} bl_stated_range;

/* Sets range, default, curve and flags of `info`, and the port's side of `parameter`. False: the
   range has one value only, `info->default_value`, and is no parameter. */
bool bl_range_settle(const bl_stated_range *stated, bl_arena *arena, bl_parameter_info *info,
                     bl_plug_in_parameter *parameter);

/* One named value of a port. */
typedef struct bl_named_value {
    float value;
    const char *name;
} bl_named_value;

/* Makes the parameter a choice among the named values, which are sorted here. `info` has been
   settled. */
void bl_range_name_values(bl_named_value *values, uint32_t count, bl_arena *arena,
                          bl_parameter_info *info, bl_plug_in_parameter *parameter);

/* Names whole numbers without a unit by their digits, so that hosts step through them. */
void bl_range_name_whole_numbers(bl_arena *arena, bl_parameter_info *info);

/* The port's value for a parameter's value at that rate, and back. [any] */
float bl_range_to_port(const bl_plug_in_parameter *parameter, float value,
                       double sample_rate) BL_NONBLOCKING;
float bl_range_from_port(const bl_plug_in_parameter *parameter, float value) BL_NONBLOCKING;
