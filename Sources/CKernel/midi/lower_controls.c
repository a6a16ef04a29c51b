/* Lowers the controls and scenes of a graph's description. */

#include <math.h>
#include <string.h>

#include "graph/lowered_graph.h"

bool bl_is_control_target(const bl_graph_description *description, uint32_t node,
                          bl_parameter_address address) {
    if (node >= description->node_count) {
        return false;
    }
    uint32_t count = description->nodes[node]->descriptor->parameter_count;
    return address == BL_CONTROL_BYPASS || BL_PARAMETER_INDEX(address) < count;
}

static bool is_valid(const bl_graph_description *description, const bl_control *control) {
    if (control->mode >= BL_CONTROL_RECALL) {
        return control->mode != BL_CONTROL_RECALL || control->scene < description->scene_count;
    }
    bool is_finite = isfinite(control->from) && isfinite(control->to);
    bool is_logarithmic = control->curve == BL_CURVE_LOGARITHMIC;
    return bl_is_control_target(description, control->node, control->address) && is_finite &&
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
           one->control.latches == other->control.latches && one->node == other->node &&
           one->control.address == other->control.address;
}

/* The control's place in the last graph, or UINT32_MAX. */
static uint32_t find_previous(const bl_lowered_control *control, const bl_graph *previous) {
    for (uint32_t place = 0; previous != NULL && place < previous->controls.control_count;
         place += 1) {
        if (is_same(control, &previous->controls.controls[place])) {
            return place;
        }
    }
    return UINT32_MAX;
}

static const char *lower_scenes(bl_graph *graph, const bl_graph_description *description) {
    bl_control_table *table = &graph->controls;
    table->scenes =
        bl_arena_allocate(&graph->arena, description->scene_count + 1, sizeof *table->scenes);
    for (uint32_t index = 0; table->scenes != NULL && index < description->scene_count;
         index += 1) {
        const bl_scene *scene = &description->scenes[index];
        bl_lowered_value *values =
            bl_arena_allocate(&graph->arena, scene->value_count + 1, sizeof *values);
        for (uint32_t place = 0; values != NULL && place < scene->value_count; place += 1) {
            const bl_scene_value *value = &scene->values[place];
            if (!bl_is_control_target(description, value->node, value->address)) {
                return "the target of a scene does not exist";
            }
            values[place] =
                (bl_lowered_value){description->nodes[value->node], value->address, value->value};
        }
        table->scenes[index] = (bl_lowered_scene){scene->value_count, values, scene->ramp_duration};
    }
    table->scene_count = description->scene_count;
    return NULL;
}

const char *bl_graph_lower_controls(bl_graph *graph, const bl_graph_description *description) {
    bl_control_table *table = &graph->controls;
    uint32_t count = description->control_count;
    table->previous = description->previous;
    table->controls = bl_arena_allocate(&graph->arena, count + 1, sizeof *table->controls);
    for (uint32_t index = 0; table->controls != NULL && index < count; index += 1) {
        const bl_control *control = &description->controls[index];
        if (!is_valid(description, control)) {
            return "the target of a control does not exist";
        }
        bl_lowered_control *lowered = &table->controls[index];
        lowered->control = *control;
        lowered->state.moved_at = BL_LONG_AGO;
        lowered->state.reported_at = BL_LONG_AGO;
        lowered->state.settles_at = BL_LONG_AGO;
        bool moves = control->mode < BL_CONTROL_RECALL;
        lowered->node = moves ? description->nodes[control->node] : NULL;
        lowered->previous = find_previous(lowered, description->previous);
        table->port_count =
            control->port >= table->port_count ? control->port + 1 : table->port_count;
    }
    table->control_count = count;
    table->selections = bl_arena_allocate(
        &graph->arena, (size_t)table->port_count * BL_CHANNELS + 1, sizeof *table->selections);
    for (uint32_t index = 0; table->selections != NULL && index < table->port_count * BL_CHANNELS;
         index += 1) {
        table->selections[index] = (bl_parameter_selection){BL_NO_SELECTION, BL_NO_SELECTION, 0, 0};
    }
    return lower_scenes(graph, description);
}

void bl_controls_continue(bl_graph *graph, const bl_graph *old) BL_NONBLOCKING {
    bl_control_table *table = &graph->controls;
    if (old == NULL || table->previous != old) {
        return;
    }
    for (uint32_t index = 0; index < table->control_count; index += 1) {
        bl_lowered_control *control = &table->controls[index];
        if (control->previous != UINT32_MAX) {
            const bl_lowered_control *before = &old->controls.controls[control->previous];
            bool travels_alike = control->control.from == before->control.from &&
                                 control->control.to == before->control.to &&
                                 control->control.curve == before->control.curve;
            control->state = before->state;
            control->state.has_moved &= travels_alike;
            control->state.is_caught &= travels_alike;
            control->state.presses = 0; /* reported with the old graph */
        }
    }
    uint32_t ports =
        table->port_count < old->controls.port_count ? table->port_count : old->controls.port_count;
    for (uint32_t index = 0; index < ports * BL_CHANNELS; index += 1) {
        table->selections[index] = old->controls.selections[index];
    }
}
