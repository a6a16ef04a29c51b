/* The texts of a compressor's ratio: "4:1", and "∞:1" for what limits. */
#ifndef BACKLINE_RATIO_TEXT_H
#define BACKLINE_RATIO_TEXT_H

#include "backline/unit.h"

/* From this ratio on it limits. */
#define BL_LIMITING_RATIO 100

/* A descriptor's value_text and text_value, where ratios alone have texts. "4 : 1", "inf:1" and
   "∞" are read, too. [control] */
void bl_ratio_text(const bl_unit *unit, bl_parameter_address address, float value, char *text,
                   size_t size);
bool bl_ratio_of_text(const bl_unit *unit, bl_parameter_address address, const char *text,
                      float *value);

#endif
