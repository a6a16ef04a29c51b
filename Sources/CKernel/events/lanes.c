/* Lanes laid down for the render thread. */
#include "events/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "backline/memory.h"
#include "graph/lowered_graph.h"

void bl_automation_destroy(bl_automation *automation) {
    for (uint32_t index = 0; automation->lanes != NULL && index < automation->lane_count;
         index += 1) {
        free(automation->lanes[index].pieces);
    }
    free(automation->lanes);
    free(automation);
}

bl_automation *bl_automation_create(const bl_lane *lanes, uint32_t lane_count) {
    bl_automation *automation = bl_allocate_touched(1, sizeof *automation);
    if (automation == NULL) {
        return NULL;
    }
    automation->lane_count = lane_count;
    automation->lanes = bl_allocate_touched((size_t)lane_count + 1, sizeof *automation->lanes);
    bool complete = automation->lanes != NULL;
    for (uint32_t index = 0; complete && index < lane_count; index += 1) {
        bl_followed_lane *lane = &automation->lanes[index];
        lane->counts_beats = lanes[index].counts_beats;
        lane->piece_count = lanes[index].piece_count;
        lane->pieces = malloc(((size_t)lane->piece_count + 1) * sizeof *lane->pieces);
        complete = lane->pieces != NULL;
        if (complete) {
            memcpy(lane->pieces, lanes[index].pieces, lane->piece_count * sizeof *lane->pieces);
        }
    }
    if (!complete) {
        bl_automation_destroy(automation);
        return NULL;
    }
    return automation;
}

const char *bl_graph_lower_lanes(bl_graph *graph, const bl_graph_description *description) {
    bl_automation_table *table = &graph->automation;
    if (description->automation == NULL) {
        return NULL;
    }
    uint32_t count = description->automation->lane_count;
    table->nodes = bl_arena_allocate(&graph->arena, count + 1, sizeof(bl_node *));
    table->addresses = bl_arena_allocate(&graph->arena, count + 1, sizeof *table->addresses);
    for (uint32_t index = 0; !graph->arena.failed && index < count; index += 1) {
        const bl_lane_target *target = &description->lane_targets[index];
        if (!bl_is_control_target(description, target->node, target->address)) {
            return "what a lane moves does not exist";
        }
        table->nodes[index] = description->nodes[target->node];
        table->addresses[index] = target->address;
    }
    table->automation = description->automation;
    return NULL;
}
