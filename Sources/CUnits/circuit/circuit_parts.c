/* The equations of each part: modified nodal analysis (C.-W. Ho, A. E. Ruehli and P. A. Brennan,
   1975). An unknown is a node's voltage or the current of a voltage source. */
#include "circuit/circuit_builder.h"

/* The conductance of a capacitor at rest, so that every node is connected, S. */
#define OPEN 1e-15

bl_terms bl_between(int a, int b) { return (bl_terms){2, {a - 1, b - 1}, {1, -1}}; }

static void add(bl_circuit_builder *self, int row, int column, double value) {
    if (row >= 0 && column >= 0) {
        self->matrix[row][column] += value;
    }
}

void bl_circuit_conduct(bl_circuit_builder *self, bl_terms way, bl_terms senses,
                        double conductance) {
    for (int out = 0; out < way.count; out += 1) {
        for (int in = 0; in < senses.count; in += 1) {
            add(self, way.unknowns[out], senses.unknowns[in],
                conductance * way.weights[out] * senses.weights[in]);
        }
    }
}

static void add_resistance(bl_circuit_builder *self, int a, int b, double ohms) {
    bl_circuit_conduct(self, bl_between(a, b), bl_between(a, b), 1 / ohms);
}

void bl_circuit_add_capacitor(bl_circuit_builder *self, bl_terms ends, double farads) {
    int index = self->circuit->states++;
    double conductance = 2 * farads * self->sample_rate;
    self->circuit->conductances[index] = conductance;
    self->capacitors[index] = ends;
    bl_circuit_conduct(self, ends, ends, self->rests ? OPEN : conductance);
}

static void add_turned(bl_circuit_builder *self, int a, int b, const bl_part *part, bool beyond) {
    int index = self->circuit->turned++;
    double base = 2 / part->values[0];
    self->circuit->turn[index] =
        (bl_turned){part->values[0], base, part->knob, part->taper, beyond};
    self->turned[index] = bl_between(a, b);
    bl_circuit_conduct(self, bl_between(a, b), bl_between(a, b), base);
}

int bl_circuit_add_source(bl_circuit_builder *self, int node, bl_terms senses) {
    int row = self->unknowns++;
    add(self, node - 1, row, 1);
    for (int in = 0; in < senses.count; in += 1) {
        add(self, row, senses.unknowns[in], senses.weights[in]);
    }
    return row;
}

static void add_part(bl_circuit_builder *self, const bl_part *part) {
    int a = part->nodes[0], b = part->nodes[1], c = part->nodes[2];
    bl_terms *supplies = &self->supplies;
    switch (part->kind) {
    case BL_PART_RESISTOR: add_resistance(self, a, b, part->values[0]); break;
    case BL_PART_CAPACITOR:
        bl_circuit_add_capacitor(self, bl_between(a, b), part->values[0]);
        break;
    case BL_PART_POT:
        add_turned(self, a, b, part, false);
        if (c != b) {
            add_turned(self, b, c, part, true);
        }
        break;
    case BL_PART_SUPPLY:
        supplies->unknowns[supplies->count] =
            bl_circuit_add_source(self, a, bl_between(a, BL_NODE_GROUND));
        supplies->weights[supplies->count] = part->values[0];
        supplies->count += 1;
        break;
    case BL_PART_BUFFER: bl_circuit_add_source(self, b, bl_between(b, a)); break;
    case BL_PART_OP_AMP:
    case BL_PART_DIODE:
    case BL_PART_DIODES:
    case BL_PART_TRANSISTOR:
    case BL_PART_TRIODE: bl_circuit_add_device(self, part); break;
    case BL_PART_END: break;
    }
}

static int node_count(const bl_part *parts) {
    int count = BL_NODE_FIRST;
    for (; parts->kind != BL_PART_END; parts += 1) {
        for (int end = 0; end < 3; end += 1) {
            count = parts->nodes[end] >= count ? parts->nodes[end] + 1 : count;
        }
    }
    return count;
}

void bl_circuit_add_parts(bl_circuit_builder *self, const bl_part *parts) {
    self->unknowns = node_count(parts) - 1;
    self->input =
        bl_circuit_add_source(self, BL_NODE_INPUT, bl_between(BL_NODE_INPUT, BL_NODE_GROUND));
    for (; parts->kind != BL_PART_END; parts += 1) {
        add_part(self, parts);
    }
}
