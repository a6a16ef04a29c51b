/* Lowers the controls and scenes of a plan. */
#include <math.h>
#include <string.h>

#include "event_plan.h"

static bool is_valid(const bl_event_plan_description *description, const bl_control *control) {
    if (control->mode >= BL_CONTROL_RECALL) {
        return control->mode != BL_CONTROL_RECALL || control->scene < description->scene_count;
    }
    bool is_finite = isfinite(control->from) && isfinite(control->to);
    bool is_logarithmic = control->curve == BL_CURVE_LOGARITHMIC;
    return bl_event_plan_has_target(description, control->node, control->address) && is_finite &&
           (!is_logarithmic || (control->from > 0 && control->to > 0));
}

static bool is_same(const bl_lowered_control *one, const bl_lowered_control *other) {
    return one->control.port == other->control.port &&
           one->control.source == other->control.source &&
           one->control.number == other->control.number &&
           one->control.channels == other->control.channels &&
           one->control.bank_coarse == other->control.bank_coarse &&
           one->control.bank_fine == other->control.bank_fine &&
           one->control.mode == other->control.mode &&
           one->control.latches == other->control.latches && one->receiver == other->receiver &&
           one->control.address == other->control.address;
}

/* The control's index in the last plan, or UINT32_MAX. */
static uint32_t find_previous(const bl_lowered_control *control, const bl_control_table *previous) {
    for (uint32_t place = 0; previous != NULL && place < previous->control_count; place += 1) {
        if (is_same(control, &previous->controls[place])) {
            return place;
        }
    }
    return UINT32_MAX;
}

static const char *lower_scenes(bl_control_table *table, bl_arena *arena,
                                const bl_event_plan_description *description) {
    table->scenes = bl_arena_allocate(arena, description->scene_count + 1, sizeof *table->scenes);
    for (uint32_t index = 0; table->scenes != NULL && index < description->scene_count;
         index += 1) {
        const bl_scene *scene = &description->scenes[index];
        bl_lowered_value *values = bl_arena_allocate(arena, scene->value_count + 1, sizeof *values);
        for (uint32_t place = 0; values != NULL && place < scene->value_count; place += 1) {
            const bl_scene_value *value = &scene->values[place];
            if (!bl_event_plan_has_target(description, value->node, value->address)) {
                return "the target of a scene does not exist";
            }
            values[place] = (bl_lowered_value){description->receivers[value->node], value->address,
                                               value->value};
        }
        table->scenes[index] = (bl_lowered_scene){scene->value_count, values, scene->ramp_duration};
    }
    table->scene_count = description->scene_count;
    return NULL;
}

const char *bl_controls_lower(bl_control_table *table, bl_arena *arena,
                              const bl_event_plan_description *description) {
    const bl_control_table *previous =
        description->previous != NULL ? &description->previous->controls : NULL;
    uint32_t count = description->control_count;
    table->previous = previous;
    table->controls = bl_arena_allocate(arena, count + 1, sizeof *table->controls);
    for (uint32_t index = 0; table->controls != NULL && index < count; index += 1) {
        const bl_control *control = &description->controls[index];
        if (!is_valid(description, control)) {
            return "the target of a control does not exist";
        }
        bl_lowered_control *lowered = &table->controls[index];
        lowered->control = *control;
        lowered->state.moved_at = BL_LONG_AGO;
        lowered->state.reported_at = BL_LONG_AGO;
        lowered->state.bounces_until = BL_LONG_AGO;
        bool moves = control->mode < BL_CONTROL_RECALL;
        lowered->receiver = moves ? description->receivers[control->node] : NULL;
        lowered->previous = find_previous(lowered, previous);
        table->port_count =
            control->port >= table->port_count ? control->port + 1 : table->port_count;
    }
    table->control_count = count;
    table->selections = bl_arena_allocate(arena, (size_t)table->port_count * BL_CHANNELS + 1,
                                          sizeof *table->selections);
    for (uint32_t index = 0; table->selections != NULL && index < table->port_count * BL_CHANNELS;
         index += 1) {
        table->selections[index] = (bl_parameter_selection){BL_NO_SELECTION, BL_NO_SELECTION, 0, 0};
    }
    return lower_scenes(table, arena, description);
}

void bl_controls_continue(bl_control_table *table, const bl_control_table *old) BL_NONBLOCKING {
    if (table->previous != old) {
        return;
    }
    for (uint32_t index = 0; index < table->control_count; index += 1) {
        bl_lowered_control *control = &table->controls[index];
        if (control->previous != UINT32_MAX) {
            const bl_lowered_control *before = &old->controls[control->previous];
            bool travels_alike = control->control.from == before->control.from &&
                                 control->control.to == before->control.to &&
                                 control->control.curve == before->control.curve;
            control->state = before->state;
            control->state.has_moved &= travels_alike;
            control->state.is_caught &= travels_alike;
            control->state.presses = 0; /* reported with the old graph */
        }
    }
    uint32_t ports = table->port_count < old->port_count ? table->port_count : old->port_count;
    for (uint32_t index = 0; index < ports * BL_CHANNELS; index += 1) {
        table->selections[index] = old->selections[index];
    }
}
