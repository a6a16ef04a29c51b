/* The JACK ports that one graph plays through: the context of its bl_graph_description. */
#ifndef BACKLINE_JACK_PORTS_H
#define BACKLINE_JACK_PORTS_H

#include "backline/arena.h"
#include "backline/unit.h"
#include "jack_library.h"

BL_BEGIN_DECLARATIONS

/* The most output channels, and MIDI outputs, of a graph; more than JACK2 has ports. */
#define BL_JACK_MAXIMUM_OUTPUTS 2048

/* A unit to wait for in freewheel mode, where cycles come faster than its thread feeds it. */
typedef struct bl_jack_fed_unit {
    const bl_unit_descriptor *descriptor;
    bl_unit *unit;
} bl_jack_fed_unit;

/* Filled in on the control side before the graph is sent; then owned by the render thread until the
   graph is reported retired. */
typedef struct bl_jack_ports {
    bl_arena arena;
    /* One port for every channel of every audio port, in the kernel's order. */
    uint32_t input_count;
    jack_port_t **inputs;
    uint32_t output_count;
    jack_port_t **outputs;
    uint32_t midi_input_count;
    jack_port_t **midi_inputs;
    uint32_t midi_output_count;
    jack_port_t **midi_outputs;

    double tempo; /* beats per minute, if JACK's transport has none */

    uint32_t fed_unit_count;
    bl_jack_fed_unit *fed_units;

    /* The render thread's memory for one cycle: JACK's buffers of the ports, and the next event of
       each MIDI input. */
    const float **input_buffers;
    float **output_buffers;
    void **midi_buffers;
    uint32_t *midi_counts;
    uint32_t *midi_positions;
    void **midi_output_buffers;
} bl_jack_ports;

/* Allocates room for these ports, all NULL; NULL when memory is short or there are too many
   outputs. [control] */
bl_jack_ports *bl_jack_ports_create(uint32_t input_count, uint32_t output_count,
                                    uint32_t midi_input_count, uint32_t midi_output_count);

/* Sets the units to wait for, copied; false when memory is short. [control, before the graph is
   sent] */
bool bl_jack_ports_set_fed_units(bl_jack_ports *ports, const bl_jack_fed_unit *units,
                                 uint32_t count);

/* Frees the ports. [control, once the graph is reported retired or was never sent] */
void bl_jack_ports_destroy(bl_jack_ports *ports);

BL_END_DECLARATIONS

#endif
