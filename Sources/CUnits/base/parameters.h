/* Rows of the parameter tables. After a row's named columns further members may follow, such as
   `.group`. RANK is the overview_rank: 0 for a parameter that a compact view may leave out. */
#pragma once

#include "backline/parameter.h"

#define BL_PARAMETER_ROW(ID, NAME, UNIT, CURVE, MINIMUM, MAXIMUM, DEFAULT, FLAGS, RANK, ...)       \
    {                                                                                              \
        .identifier = ID, .name = NAME, .unit = BL_UNIT_##UNIT, .curve = BL_CURVE_##CURVE,         \
        .minimum = MINIMUM, .maximum = MAXIMUM, .default_value = DEFAULT, .flags = FLAGS,          \
        .overview_rank = RANK, __VA_ARGS__                                                         \
    }

/* A knob, which ramps; a stepped setting; a meter, which the unit writes. */
#define BL_KNOB(ID, NAME, UNIT, CURVE, MINIMUM, MAXIMUM, DEFAULT, ...)                             \
    BL_PARAMETER_ROW(ID, NAME, UNIT, CURVE, MINIMUM, MAXIMUM, DEFAULT, BL_PARAMETER_DEFAULT_FLAGS, \
                     __VA_ARGS__)
#define BL_SETTING(ID, NAME, UNIT, CURVE, MINIMUM, MAXIMUM, DEFAULT, ...)                          \
    BL_PARAMETER_ROW(ID, NAME, UNIT, CURVE, MINIMUM, MAXIMUM, DEFAULT, BL_PARAMETER_STEPPED_FLAGS, \
                     __VA_ARGS__)
#define BL_READING(ID, NAME, UNIT, MINIMUM, MAXIMUM, ...)                                          \
    BL_PARAMETER_ROW(ID, NAME, UNIT, LINEAR, MINIMUM, MAXIMUM, 0, BL_PARAMETER_READABLE,           \
                     __VA_ARGS__)

/* A choice out of NAMES, an array ended by NULL; a switch, without and with names for its values; a
   button. */
#define BL_CHOICE(ID, NAME, NAMES, DEFAULT, ...)                                                   \
    BL_SETTING(ID, NAME, INDEXED, LINEAR, 0, sizeof(NAMES) / sizeof(NAMES)[0] - 2, DEFAULT,        \
               __VA_ARGS__, .value_strings = NAMES)
#define BL_SWITCH(ID, NAME, DEFAULT, ...)                                                          \
    BL_SETTING(ID, NAME, BOOLEAN, LINEAR, 0, 1, DEFAULT, __VA_ARGS__)
#define BL_OFF_ON(ID, NAME, DEFAULT, ...)                                                          \
    BL_SWITCH(ID, NAME, DEFAULT, __VA_ARGS__, .value_strings = bl_off_on)
#define BL_BUTTON(ID, NAME, ...)                                                                   \
    BL_PARAMETER_ROW(ID, NAME, BOOLEAN, LINEAR, 0, 1, 0, BL_PARAMETER_BUTTON_FLAGS, __VA_ARGS__)

/* A further member: key paths of the parameters whose meaning or range depends on this one. */
#define BL_DEPENDENTS(...)                                                                         \
    .dependent_parameters = (const char *const[]) { __VA_ARGS__, NULL }

static const char *const bl_off_on[] = {"Off", "On", NULL};
