/* The events part of a graph: its controls and scenes, its lanes, its MIDI cables. */
#pragma once

#include "controls.h"
#include "events/automation.h"
#include "midi_cables.h"

/* A lane on the render thread. */
typedef struct bl_followed_lane {
    bool counts_beats;
    uint32_t piece_count;
    bl_lane_piece *pieces;
    bl_receiver *receiver;        /* its last target; for comparison until it is followed again */
    bl_parameter_address address; /* the address of that target */
    uint32_t next;                /* the first piece that has not started */
    bool will_resume; /* resumes the present piece, after a jump into it, in frames_to_resume */
    uint32_t frames_to_resume;
    int64_t arrival; /* the sample time at which the last jump's ramp ends */
} bl_followed_lane;

struct bl_automation {
    bl_arena arena;
    uint32_t lane_count;
    bl_followed_lane *lanes;
    bool is_started; /* a stretch has been rendered */
    bool was_moving;
    double tempo, beat; /* tempo of the last stretch, and beat at its end */
};

/* The targets of a plan's lanes. */
typedef struct bl_lane_table {
    bl_automation *automation; /* NULL for none */
    bl_receiver **receivers;   /* one for each lane */
    bl_parameter_address *addresses;
} bl_lane_table;

typedef struct bl_event_plan {
    uint32_t receiver_count;
    bl_receiver **receivers;
    bl_control_table controls;
    bl_lane_table lanes;
    bl_midi_wiring midi;
} bl_event_plan;

/* The input of bl_event_plan_lower; nodes are indices into `receivers`. */
typedef struct bl_event_plan_description {
    uint32_t receiver_count;
    bl_receiver *const *receivers;
    const bool *are_rendered;
    uint32_t midi_output_count;
    uint32_t midi_cable_count;
    const bl_midi_cable *midi_cables;
    uint32_t control_count;
    const bl_control *controls;
    uint32_t scene_count;
    const bl_scene *scenes;
    bl_automation *automation; /* lanes to follow, or NULL */
    const bl_lane_target *lane_targets;
    const bl_event_plan *previous; /* the plan that this one will replace; or NULL */
} bl_event_plan_description;

/* Lowers a plan. Returns NULL or an error; if memory is short the arena has failed. [control] */
const char *bl_event_plan_lower(bl_event_plan *plan, bl_arena *arena,
                                const bl_event_plan_description *description);

/* Whether the receiver at that index has the parameter; true for the bypass of any. [control] */
bool bl_event_plan_has_target(const bl_event_plan_description *description, uint32_t receiver,
                              bl_parameter_address address);

/* The parts of bl_event_plan_lower. [control] */
const char *bl_controls_lower(bl_control_table *table, bl_arena *arena,
                              const bl_event_plan_description *description);
void bl_midi_cables_lower(bl_midi_wiring *wiring, bl_arena *arena,
                          const bl_event_plan_description *description);
