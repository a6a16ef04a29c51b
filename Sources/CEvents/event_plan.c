#include "event_plan.h"

bool bl_event_plan_has_target(const bl_event_plan_description *description, uint32_t receiver,
                              bl_parameter_address address) {
    if (receiver >= description->receiver_count) {
        return false;
    }
    uint32_t count = description->receivers[receiver]->descriptor->parameter_count;
    return address == BL_CONTROL_BYPASS || BL_PARAMETER_INDEX(address) < count;
}

const char *bl_event_plan_lower(bl_event_plan *plan, bl_arena *arena,
                                const bl_event_plan_description *description) {
    plan->receiver_count = description->receiver_count;
    plan->receivers = bl_arena_copy(arena, (const void *)description->receivers,
                                    plan->receiver_count, sizeof *plan->receivers);
    bl_midi_cables_lower(&plan->midi, arena, description);
    const char *problem = bl_controls_lower(&plan->controls, arena, description);
    return problem == NULL ? bl_lanes_lower(&plan->lanes, arena, description) : problem;
}
