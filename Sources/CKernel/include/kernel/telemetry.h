/* What a graph measures. The render thread publishes it about 25 times a second as state that the
   control side reads when it likes; what is not read is added to what is measured next. */
#ifndef BACKLINE_KERNEL_TELEMETRY_H
#define BACKLINE_KERNEL_TELEMETRY_H

#include "graph.h"

BL_BEGIN_DECLARATIONS

/* A channel of one of the rack's ports. */
typedef struct bl_level {
    float peak;        /* largest magnitude */
    float mean_square; /* its root is the RMS */
} bl_level;

/* A unit's outputs and render times. A unit of less than a microsecond may be timed only once in
   1536 frames. */
typedef struct bl_unit_telemetry {
    uint32_t node;
    float peak;                             /* largest magnitude of the first output bus */
    float mean_square;                      /* of that bus's loudest channel; its root is the RMS */
    float peak_of_all;                      /* largest magnitude of all output busses */
    uint32_t cycles;                        /* that were timed */
    float minimum, mean, p50, p99, maximum; /* nanoseconds; 0 without timed cycles */
} bl_unit_telemetry;

/* The cycles, also of graphs before this one. */
typedef struct bl_cycle_telemetry {
    uint32_t cycles;
    uint32_t frames;
    float mean, maximum; /* nanoseconds for each cycle, the whole graph */
    int64_t sample_time; /* of the next cycle */
    uint32_t threads;    /* that rendered the last cycle, at most */
} bl_cycle_telemetry;

/* The messages at one of the rack's MIDI inputs. */
typedef struct bl_midi_telemetry {
    uint32_t count;
    /* The last of them; of system exclusive, the first byte. */
    bl_midi_event last;
} bl_midi_telemetry;

typedef struct bl_telemetry {
    bl_cycle_telemetry cycle;
    uint32_t input_count, output_count, unit_count, midi_input_count;
    bl_level *inputs, *outputs; /* each channel of each port, in order */
    bl_unit_telemetry *units;   /* those that an output pulls */
    bl_midi_telemetry *midi_inputs;
} bl_telemetry;

/* What the graph has measured since it was read last; NULL while nothing new is published. Valid
   until bl_graph_release_telemetry, and as long as the graph. [control, one thread] */
const bl_telemetry *bl_graph_telemetry(const bl_graph *graph);

/* Has the render thread publish again. [control, once the telemetry has been read] */
void bl_graph_release_telemetry(bl_graph *graph);

BL_END_DECLARATIONS

#endif
