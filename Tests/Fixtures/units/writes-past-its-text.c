/* expect: value-texts: the text of 1.0 does not end within its room */
#include "plain_unit.h"

static const bl_parameter_info parameters[] = {
    {"gain", NULL, "Gain", BL_UNIT_RATIO, 1, 2, 1, BL_CURVE_LINEAR,
     BL_PARAMETER_DEFAULT_FLAGS | BL_PARAMETER_HAS_TEXT, NULL, NULL, NULL, 1},
};

static void value_text(const bl_unit *unit, bl_parameter_address address, float value, char *text,
                       size_t size) {
    (void)unit, (void)address, (void)value;
    memset(text, 'a', size + 8);
}

static bool text_value(const bl_unit *unit, bl_parameter_address address, const char *text,
                       float *value) {
    (void)unit, (void)address, (void)text;
    *value = 1;
    return true;
}

UNIT(.parameters = parameters, .value_text = value_text, .text_value = text_value)
