/* Lowers a plan and its lanes. */
#include "backline/memory.h"
#include "event_plan.h"

bl_automation *bl_automation_create(const bl_lane *lanes, uint32_t lane_count) {
    bl_automation *automation = bl_allocate_touched(1, sizeof *automation);
    if (automation == NULL) {
        return NULL;
    }
    bl_arena *arena = &automation->arena;
    automation->lane_count = lane_count;
    automation->lanes = bl_arena_allocate(arena, lane_count, sizeof *automation->lanes);
    for (uint32_t index = 0; !arena->failed && index < lane_count; index += 1) {
        bl_followed_lane *lane = &automation->lanes[index];
        lane->counts_beats = lanes[index].counts_beats;
        lane->piece_count = lanes[index].piece_count;
        lane->pieces =
            bl_arena_copy(arena, lanes[index].pieces, lane->piece_count, sizeof *lane->pieces);
    }
    if (arena->failed) {
        bl_automation_destroy(automation);
        return NULL;
    }
    return automation;
}

void bl_automation_destroy(bl_automation *automation) {
    bl_arena_free(&automation->arena);
    free(automation);
}

static const char *lower_lanes(bl_lane_table *table, bl_arena *arena,
                               const bl_event_plan_description *description) {
    if (description->automation == NULL) {
        return NULL;
    }
    uint32_t count = description->automation->lane_count;
    table->receivers = bl_arena_allocate(arena, count + 1, sizeof *table->receivers);
    table->addresses = bl_arena_allocate(arena, count + 1, sizeof *table->addresses);
    for (uint32_t index = 0; !arena->failed && index < count; index += 1) {
        const bl_lane_target *target = &description->lane_targets[index];
        if (!bl_event_plan_has_target(description, target->node, target->address)) {
            return "the target of a lane does not exist";
        }
        table->receivers[index] = description->receivers[target->node];
        table->addresses[index] = target->address;
    }
    table->automation = description->automation;
    return NULL;
}

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
    return problem == NULL ? lower_lanes(&plan->lanes, arena, description) : problem;
}
