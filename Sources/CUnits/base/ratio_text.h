/* The texts of a compressor's ratio: "4:1", and "∞:1" for a limiter. */
#pragma once

#include "backline/unit.h"
#include "base/parameters.h"

/* The ratio from which on it limits. */
#define BL_LIMITING_RATIO 100

/* A row of the parameter table. */
#define BL_RATIO(NAME, LEAST, USUAL, ...)                                                          \
    BL_PARAMETER_ROW("ratio", NAME, RATIO, LOGARITHMIC, LEAST, BL_LIMITING_RATIO, USUAL,           \
                     BL_PARAMETER_DEFAULT_FLAGS | BL_PARAMETER_HAS_TEXT, __VA_ARGS__)

/* A descriptor's value_text and text_value, for units in which only ratios have texts. "4 : 1",
   "inf:1" and "∞" are parsed, too. [control] */
void bl_ratio_text(const bl_unit *unit, bl_parameter_address address, float value, char *text,
                   size_t size);
bool bl_ratio_of_text(const bl_unit *unit, bl_parameter_address address, const char *text,
                      float *value);
