/* The parameters of a kit unit. See kit.h. */
#ifndef BACKLINE_KIT_PARAMETERS_H
#define BACKLINE_KIT_PARAMETERS_H

#include "kit_functions.h"

BL_KIT_FUNCTION void bl_kit_apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    bl_ramp *ramp = bl_kit_ramp(base, event->parameter.address);
    uint32_t index = BL_PARAMETER_INDEX(event->parameter.address);
    if (ramp != NULL && (base->descriptor->parameters[index].flags & BL_PARAMETER_MOMENTARY) == 0) {
        bl_ramp_apply(ramp, event);
    }
}

BL_KIT_FUNCTION float bl_kit_value(const bl_unit *unit,
                                   bl_parameter_address address) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    const bl_ramp *ramp = bl_kit_ramp(base, address);
    if (ramp == NULL) {
        return 0;
    }
    uint32_t flags = base->descriptor->parameters[BL_PARAMETER_INDEX(address)].flags;
    return (flags & BL_PARAMETER_RAMPABLE) != 0 ? bl_ramp_value(ramp, 0) : ramp->target;
}

BL_KIT_FUNCTION void bl_kit_set_parameter(bl_unit *unit, bl_parameter_address address,
                                          float value) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    const uint32_t kinds = BL_PARAMETER_WRITABLE | BL_PARAMETER_MOMENTARY;
    uint32_t index = BL_PARAMETER_INDEX(address);
    if (bl_kit_ramp(base, address) == NULL ||
        (base->descriptor->parameters[index].flags & kinds) != BL_PARAMETER_WRITABLE) {
        return;
    }
    bl_event event = {NULL, 0, BL_EVENT_PARAMETER, {{address, value, 0, false}}, 0};
    base->stale = true;
    if (base->kit->change) {
        base->kit->change(unit, NULL, &event);
    } else {
        bl_kit_apply(unit, &event);
    }
}

BL_KIT_FUNCTION float bl_kit_parameter_value(const bl_unit *unit,
                                             bl_parameter_address address) BL_NONBLOCKING {
    const bl_kit *kit = ((const bl_unit_base *)unit)->kit;
    return kit->value ? kit->value(unit, address) : bl_kit_value(unit, address);
}

BL_KIT_FUNCTION void bl_kit_reset(bl_unit *unit) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    uint32_t count = base->parameter_bus_count * base->descriptor->parameter_count;
    for (uint32_t index = 0; index < count; index += 1) {
        bl_ramp_set(&base->parameters[index], base->parameters[index].target);
    }
    base->stale = true;
    base->rendered_frames = 0;
    if (base->kit->reset) {
        base->kit->reset(unit);
    }
}

#endif
