/* A graph's telemetry. The render thread publishes it about 25 times a second as state that the
   control side reads at any time; unread measurements are combined with later ones. */
#ifndef BACKLINE_KERNEL_TELEMETRY_H
#define BACKLINE_KERNEL_TELEMETRY_H

#include "graph.h"

BL_BEGIN_DECLARATIONS

/* The level of one channel of the rack's ports. */
typedef struct bl_level {
    float peak;        /* largest magnitude */
    float mean_square; /* its root is the RMS */
} bl_level;

/* A unit's outputs and render times. A unit of less than a microsecond may be timed only once in
   1536 frames. */
typedef struct bl_unit_telemetry {
    uint32_t node;
    float peak;        /* largest magnitude of the first output bus */
    float mean_square; /* mean square of that bus's loudest channel; its root is the RMS */
    float peak_of_all; /* largest magnitude of all output busses */
    uint32_t cycles;   /* timed cycles */
    float minimum, mean, p50, p99, maximum; /* nanoseconds; 0 without timed cycles */
} bl_unit_telemetry;

/* The cycles' times, including those of earlier graphs. */
typedef struct bl_cycle_telemetry {
    uint32_t cycles;
    uint32_t frames;
    float mean, maximum; /* the whole graph's time in a cycle, nanoseconds */
    int64_t sample_time; /* start of the next cycle */
    uint32_t threads;    /* the most threads that rendered the last cycle */
} bl_cycle_telemetry;

/* The activity of one of the rack's MIDI inputs. */
typedef struct bl_midi_telemetry {
    uint32_t count;
    /* The last message; for system exclusive, its first byte. */
    bl_midi_event last;
} bl_midi_telemetry;

typedef struct bl_telemetry {
    bl_cycle_telemetry cycle;
    uint32_t input_count, output_count, unit_count, midi_input_count;
    bl_level *inputs, *outputs; /* each channel of each port, in order */
    bl_unit_telemetry *units;   /* one for each that an output pulls */
    bl_midi_telemetry *midi_inputs;
} bl_telemetry;

/* The graph's measurements since the last read; NULL if nothing new is published. Valid until
   bl_graph_release_telemetry, and as long as the graph. [control, one thread] */
const bl_telemetry *bl_graph_telemetry(const bl_graph *graph);

/* Lets the render thread publish again. [control, once the telemetry has been read] */
void bl_graph_release_telemetry(bl_graph *graph);

BL_END_DECLARATIONS

#endif
