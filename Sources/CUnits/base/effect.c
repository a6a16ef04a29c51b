#include "base/effect.h"

#include "dsp/declick.h"

void bl_change_declicked(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    bl_ramp *ramp = bl_kit_ramp(base, event->parameter.address);
    uint32_t index = BL_PARAMETER_INDEX(event->parameter.address);
    if (io != NULL && ramp != NULL && base->descriptor->parameters[index].unit == BL_UNIT_BOOLEAN) {
        bl_declick(ramp, event->parameter.value, base->sample_rate);
    } else {
        bl_kit_apply(unit, event);
    }
}
