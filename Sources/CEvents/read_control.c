/* Reads MIDI messages of controls: the new position, and the value there. */
#include <math.h>

#include "controls.h"

enum { BANK_COARSE = 0, BANK_FINE = 32 };
enum { DATA_COARSE = 6, DATA_FINE = 38, NRPN_FINE = 98, NRPN_COARSE = 99, RPN_FINE, RPN_COARSE };

static float within(float position) BL_NONBLOCKING {
    return position > 0 ? (position < 1 ? position : 1) : 0;
}

float bl_control_value(const bl_control *control, float position) BL_NONBLOCKING {
    float from = control->from, to = control->to;
    position = within(position);
    /* The ends of the range are exact. */
    if (position <= 0 || position >= 1) {
        return position <= 0 ? from : to;
    }
    switch (control->curve) {
    case BL_CURVE_LOGARITHMIC: return from * powf(to / from, position);
    case BL_CURVE_SQUARED:
        /* The squared curve is fine at the lower end. */
        return to >= from ? from + (to - from) * position * position
                          : to + (from - to) * (1 - position) * (1 - position);
    default: return from + (to - from) * position;
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
    default: return within((value - from) / (to - from));
    }
}

void bl_control_select(bl_control_table *table, uint32_t port,
                       const uint8_t *bytes) BL_NONBLOCKING {
    bl_parameter_selection *selection = &table->selections[port * BL_CHANNELS + (bytes[0] & 0x0F)];
    if (bytes[1] == NRPN_COARSE) {
        selection->coarse = bytes[2];
    } else if (bytes[1] == NRPN_FINE) {
        selection->fine = bytes[2];
    } else if (bytes[1] == RPN_COARSE || bytes[1] == RPN_FINE) {
        selection->coarse = BL_NO_SELECTION;
        selection->fine = BL_NO_SELECTION;
    } else if (bytes[1] == BANK_COARSE) {
        selection->bank_coarse = bytes[2];
    } else if (bytes[1] == BANK_FINE) {
        selection->bank_fine = bytes[2];
    }
}

/* Reads a value in two halves, the coarse one first. If a fine half follows, the coarse half alone
   would move the parameter back and forth: it waits, unless two coarse halves follow each other. */
static bool read_halves(bl_lowered_control *control, uint8_t value, bool is_fine,
                        bl_control_reading *reading) BL_NONBLOCKING {
    if (is_fine && !control->state.has_coarse) {
        return false;
    }
    bool waits = !is_fine && control->state.has_fine;
    control->state.coarse = is_fine ? control->state.coarse : value;
    control->state.has_coarse = true;
    control->state.has_fine = is_fine;
    float fine = is_fine ? value : control->state.coarse == 127 ? 127 : 0;
    reading->position = ((float)control->state.coarse * 128 + fine) / 16383;
    reading->value = control->state.coarse;
    return !waits;
}

static bool read_controller(const bl_control_table *table, bl_lowered_control *control,
                            const uint8_t *bytes, bl_control_reading *reading) BL_NONBLOCKING {
    uint32_t number = control->control.number;
    if (control->control.source == BL_CONTROL_CONTROLLER) {
        *reading = (bl_control_reading){bytes[2] / 127.0f, bytes[2]};
        return bytes[1] == number;
    }
    if (control->control.source == BL_CONTROL_FINE_CONTROLLER) {
        return (bytes[1] == number || bytes[1] == number + 32) &&
               read_halves(control, bytes[2], bytes[1] != number, reading);
    }
    const bl_parameter_selection *selection =
        &table->selections[control->control.port * BL_CHANNELS + (bytes[0] & 0x0F)];
    bool is_meant = selection->coarse == number >> 7 && selection->fine == (number & 0x7F);
    bool is_data = bytes[1] == DATA_COARSE || bytes[1] == DATA_FINE;
    return is_meant && is_data && read_halves(control, bytes[2], bytes[1] == DATA_FINE, reading);
}

static bool is_in_bank(const bl_control_table *table, const bl_control *control,
                       uint8_t channel) BL_NONBLOCKING {
    const bl_parameter_selection *selection =
        &table->selections[control->port * BL_CHANNELS + channel];
    return (control->bank_coarse == BL_ANY_BANK ||
            control->bank_coarse == selection->bank_coarse) &&
           (control->bank_fine == BL_ANY_BANK || control->bank_fine == selection->bank_fine);
}

bool bl_control_read(const bl_control_table *table, bl_lowered_control *control, uint32_t port,
                     const uint8_t *bytes, bl_control_reading *reading) BL_NONBLOCKING {
    uint32_t number = control->control.number;
    uint8_t status = bytes[0] & 0xF0, channel = bytes[0] & 0x0F;
    if (control->control.port != port || (control->control.channels >> channel & 1) == 0) {
        return false;
    }
    switch (control->control.source) {
    case BL_CONTROL_PITCH_BEND: {
        /* The middle is 0.5, although one step more lies below it than above. */
        int32_t bend = ((int32_t)bytes[2] << 7 | bytes[1]) - 8192;
        float share = (float)bend / (bend < 0 ? 8192.0f : 8191.0f);
        *reading = (bl_control_reading){0.5f + 0.5f * share, bytes[2]};
        return status == BL_PITCH_BEND;
    }
    case BL_CONTROL_PRESSURE:
        *reading = (bl_control_reading){bytes[1] / 127.0f, bytes[1]};
        return status == BL_CHANNEL_PRESSURE;
    case BL_CONTROL_KEY_PRESSURE:
        *reading = (bl_control_reading){bytes[2] / 127.0f, bytes[2]};
        return status == BL_NOTE_PRESSURE && bytes[1] == number;
    case BL_CONTROL_NOTE:
        *reading = (bl_control_reading){status == BL_NOTE_ON ? bytes[2] / 127.0f : 0, bytes[2]};
        return (status == BL_NOTE_ON || status == BL_NOTE_OFF) && bytes[1] == number;
    case BL_CONTROL_PROGRAM:
        *reading = (bl_control_reading){1, 127};
        return status == BL_PROGRAM && bytes[1] == number &&
               is_in_bank(table, &control->control, channel);
    default: return status == BL_CONTROLLER && read_controller(table, control, bytes, reading);
    }
}
