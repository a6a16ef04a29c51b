/* A playing rack: the units of a plan, and the kernel that renders them. */
#ifndef BACKLINE_RACK_H
#define BACKLINE_RACK_H

#include "rack/plan.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_rack_unit {
    const bl_unit_descriptor *descriptor;
    bl_unit *unit;
    bool is_allocated;
    bool is_bypassed; /* initial state */
    bl_node *node;    /* while the rack plays */
    uint32_t latency; /* the latency that the graph was lowered for */
} bl_rack_unit;

typedef struct bl_rack {
    const bl_rack_plan *plan;
    double sample_rate; /* Hz */
    uint32_t block;     /* frames of the longest cycle */
    bl_rack_unit *units;
    bl_kernel *kernel;
    bl_graph *graph; /* the latest; NULL: not playing, or memory is short */
    bool plays;      /* there is a graph */
    _Atomic uint32_t latency;
    _Atomic(bl_graph *) retired; /* returned by the render thread, to be destroyed */
} bl_rack;

/* Creates every unit of the plan with its settings; paths are relative to `folder`. False if one
   cannot be created; standard error has the reason. [control] */
bool bl_rack_create(bl_rack *rack, const bl_rack_plan *plan, const char *folder);
/* [control; not playing] */
void bl_rack_destroy(bl_rack *rack);

/* Allocates or reallocates every unit. False if one cannot be allocated. [control; not playing] */
bool bl_rack_allocate(bl_rack *rack, double sample_rate, uint32_t block);
/* Reallocates the units, and creates nodes, kernel and graph; false when memory is short. [control;
   allocated] */
bool bl_rack_start(bl_rack *rack);
void bl_rack_stop(bl_rack *rack);
/* Plays a graph for the units' present latencies; on failure the old one plays on. [control; also
   while it renders, one thread at a time] */
void bl_rack_replace_graph(bl_rack *rack);
/* Pops the kernel's next report, except those of retired graphs, which it handles; false when there
   is none. [render, after a cycle] */
bool bl_rack_pop_report(bl_rack *rack, bl_report *report) BL_NONBLOCKING;
/* Whether a unit's latency has changed since the graph was lowered. [render, not while the graph is
   replaced] */
bool bl_rack_has_other_latencies(const bl_rack *rack) BL_NONBLOCKING;
/* Waits until units that are fed by their own threads can render the longest cycle. [control;
   render, if there is no deadline] */
void bl_rack_wait(const bl_rack *rack) BL_NONBLOCKING;
/* Frames from the inputs to the latest output. [render] */
uint32_t bl_rack_latency(const bl_rack *rack) BL_NONBLOCKING;

BL_END_DECLARATIONS

#endif
