#include "jack_ports.h"

#include <stdlib.h>
#include <string.h>

/* At least one element, so that no array is NULL. */
static void *array(uint32_t count, size_t size) {
    return bl_allocate_touched((size_t)count + 1, size);
}

bl_jack_ports *bl_jack_ports_create(uint32_t input_count, uint32_t output_count,
                                    uint32_t midi_input_count, uint32_t midi_output_count) {
    bl_jack_ports *ports =
        output_count <= BL_JACK_MAXIMUM_OUTPUTS && midi_output_count <= BL_JACK_MAXIMUM_OUTPUTS
            ? bl_allocate_touched(1, sizeof *ports)
            : NULL;
    if (ports == NULL) {
        return NULL;
    }
    ports->tempo = 120;
    ports->input_count = input_count;
    ports->output_count = output_count;
    ports->midi_input_count = midi_input_count;
    ports->midi_output_count = midi_output_count;
    ports->inputs = array(input_count, sizeof *ports->inputs);
    ports->outputs = array(output_count, sizeof *ports->outputs);
    ports->midi_inputs = array(midi_input_count, sizeof *ports->midi_inputs);
    ports->midi_outputs = array(midi_output_count, sizeof *ports->midi_outputs);
    ports->midi_output_buffers = array(midi_output_count, sizeof *ports->midi_output_buffers);
    ports->input_buffers = array(input_count, sizeof *ports->input_buffers);
    ports->output_buffers = array(output_count, sizeof *ports->output_buffers);
    ports->midi_buffers = array(midi_input_count, sizeof *ports->midi_buffers);
    ports->midi_counts = array(midi_input_count, sizeof *ports->midi_counts);
    ports->midi_positions = array(midi_input_count, sizeof *ports->midi_positions);
    if (ports->inputs == NULL || ports->outputs == NULL || ports->midi_inputs == NULL ||
        ports->input_buffers == NULL || ports->output_buffers == NULL ||
        ports->midi_buffers == NULL || ports->midi_counts == NULL ||
        ports->midi_positions == NULL || ports->midi_outputs == NULL ||
        ports->midi_output_buffers == NULL) {
        bl_jack_ports_destroy(ports);
        return NULL;
    }
    return ports;
}

bool bl_jack_ports_set_fed_units(bl_jack_ports *ports, const bl_jack_fed_unit *units,
                                 uint32_t count) {
    bl_jack_fed_unit *copy = array(count, sizeof *copy);
    if (copy == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(copy, units, count * sizeof *copy);
    }
    free(ports->fed_units);
    ports->fed_units = copy;
    ports->fed_unit_count = count;
    return true;
}

void bl_jack_ports_destroy(bl_jack_ports *ports) {
    free(ports->inputs);
    free(ports->outputs);
    free(ports->midi_inputs);
    free(ports->fed_units);
    free((void *)ports->input_buffers);
    free(ports->output_buffers);
    free(ports->midi_buffers);
    free(ports->midi_counts);
    free(ports->midi_positions);
    free(ports->midi_outputs);
    free(ports->midi_output_buffers);
    free(ports);
}
