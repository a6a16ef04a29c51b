/* How a control travels between its two ends. */

#include <math.h>

#include "midi/controls.h"

static float within(float position) BL_NONBLOCKING {
    return position > 0 ? (position < 1 ? position : 1) : 0;
}

float bl_control_value(const bl_control *control, float position) BL_NONBLOCKING {
    float from = control->from, to = control->to;
    position = within(position);
    /* The ends are exact. */
    if (position <= 0 || position >= 1) {
        return position <= 0 ? from : to;
    }
    switch (control->curve) {
    case BL_CURVE_LOGARITHMIC:
        return from * powf(to / from, position);
    case BL_CURVE_SQUARED:
        /* Fine at the lower end, whichever that is. */
        return to >= from ? from + (to - from) * position * position
                          : to + (from - to) * (1 - position) * (1 - position);
    default:
        return from + (to - from) * position;
    }
}

float bl_control_position(const bl_control *control, float value) BL_NONBLOCKING {
    float from = control->from, to = control->to;
    if (from == to) {
        return 0;
    }
    switch (control->curve) {
    case BL_CURVE_LOGARITHMIC:
        return value > 0 ? within(logf(value / from) / logf(to / from)) : to > from ? 0 : 1;
    case BL_CURVE_SQUARED:
        return to > from ? sqrtf(within((value - from) / (to - from)))
                         : 1 - sqrtf(within((value - to) / (from - to)));
    default:
        return within((value - from) / (to - from));
    }
}
