#include "jack_ports.h"

bl_jack_ports *bl_jack_ports_create(uint32_t input_count, uint32_t output_count,
                                    uint32_t midi_input_count, uint32_t midi_output_count) {
    bool fits =
        output_count <= BL_JACK_MAXIMUM_OUTPUTS && midi_output_count <= BL_JACK_MAXIMUM_OUTPUTS;
    bl_jack_ports *ports = fits ? bl_allocate_touched(1, sizeof *ports) : NULL;
    if (ports == NULL) {
        return NULL;
    }
    bl_arena *arena = &ports->arena;
    ports->tempo = 120;
    ports->input_count = input_count;
    ports->inputs = bl_arena_allocate(arena, input_count, sizeof *ports->inputs);
    ports->input_buffers = bl_arena_allocate(arena, input_count, sizeof *ports->input_buffers);
    ports->output_count = output_count;
    ports->outputs = bl_arena_allocate(arena, output_count, sizeof *ports->outputs);
    ports->output_buffers = bl_arena_allocate(arena, output_count, sizeof *ports->output_buffers);
    ports->midi_input_count = midi_input_count;
    ports->midi_inputs = bl_arena_allocate(arena, midi_input_count, sizeof *ports->midi_inputs);
    ports->midi_buffers = bl_arena_allocate(arena, midi_input_count, sizeof *ports->midi_buffers);
    ports->midi_counts = bl_arena_allocate(arena, midi_input_count, sizeof(uint32_t));
    ports->midi_positions = bl_arena_allocate(arena, midi_input_count, sizeof(uint32_t));
    ports->midi_output_count = midi_output_count;
    ports->midi_outputs = bl_arena_allocate(arena, midi_output_count, sizeof *ports->midi_outputs);
    ports->midi_output_buffers = bl_arena_allocate(arena, midi_output_count, sizeof(void *));
    if (arena->failed) {
        bl_jack_ports_destroy(ports);
        return NULL;
    }
    return ports;
}

bool bl_jack_ports_set_fed_units(bl_jack_ports *ports, const bl_jack_fed_unit *units,
                                 uint32_t count) {
    ports->fed_units = bl_arena_copy(&ports->arena, units, count, sizeof *units);
    ports->fed_unit_count = ports->fed_units != NULL ? count : 0;
    return ports->fed_units != NULL;
}

void bl_jack_ports_destroy(bl_jack_ports *ports) {
    bl_arena_free(&ports->arena);
    free(ports);
}
