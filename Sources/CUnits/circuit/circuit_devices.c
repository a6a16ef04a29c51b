/* The equations of diodes, op-amps, transistors and triodes. */
#include <math.h>

#include "circuit/circuit_builder.h"

#define THERMAL_VOLTAGE 0.0258649 /* k T / q at 27 °C */
/* The capacitance of the op-amp's inner integrator, any value, F. */
#define INTEGRATOR 1e-9
#define OPEN_LOOP_GAIN 1e5
/* The softness of an op-amp's clipping at its rails, V. */
#define RAIL_WIDTH 0.1
/* The voltage within which a triode's current bends, V. */
#define PLATE_WIDTH 30

static bl_law *add_law(bl_circuit_builder *self, bl_terms senses, bl_terms way, bl_law_kind kind,
                       double scale, double width) {
    int index = self->circuit->laws++;
    self->senses[index] = senses;
    self->ways[index] = way;
    bl_law_lanes *lanes = &self->circuit->lanes;
    bool is_plate = kind == BL_LAW_PLATE, is_limited = kind == BL_LAW_LIMITED;
    self->circuit->has_plates = self->circuit->has_plates || is_plate;
    lanes->scale[index] = is_plate ? 0 : scale;
    lanes->width[index] = width;
    lanes->rate[index] = (is_limited ? 2 : 1) / width;
    lanes->alpha[index] = is_limited ? 0 : 1;
    lanes->beta[index] = kind == BL_LAW_JUNCTION ? -1 : is_limited ? 1 : 0;
    lanes->gamma[index] = kind == BL_LAW_DIODES ? -1 : is_limited ? -2 : 0;
    lanes->delta[index] = kind == BL_LAW_DIODES || is_limited ? 1 : 0;
    lanes->epsilon[index] = kind == BL_LAW_DIODES ? 0 : 1;
    bool is_steep = kind == BL_LAW_JUNCTION || kind == BL_LAW_DIODES;
    double critical = is_steep ? width * log(width / (1000 * scale)) : width;
    self->circuit->law[index] = (bl_law){kind, scale, width, critical, !is_plate};
    return &self->circuit->law[index];
}

/* Adds an op-amp, an integrator with a follower. The slew rate limits its current, the rails its
   voltage. */
static void add_op_amp(bl_circuit_builder *self, const bl_part *part) {
    double gain = 6.283185307179586 * part->values[0] * INTEGRATOR;
    bl_terms input = bl_between(part->nodes[0], part->nodes[1]);
    bl_terms inner = {1, {self->unknowns++}, {1}};
    bl_terms into = {1, {inner.unknowns[0]}, {-1}};
    bl_circuit_conduct(self, inner, inner, gain / OPEN_LOOP_GAIN);
    bl_circuit_add_capacitor(self, inner, INTEGRATOR);
    if (part->values[1] > 0) {
        double most = part->values[1] * INTEGRATOR;
        /* The two laws are too closely coupled to be averaged separately. */
        add_law(self, input, into, BL_LAW_LIMITED, most, most / gain)->is_averaged = false;
        double leak = most * exp(-part->values[2] / RAIL_WIDTH);
        add_law(self, inner, inner, BL_LAW_DIODES, leak, RAIL_WIDTH)->is_averaged = false;
    } else {
        bl_circuit_conduct(self, into, input, gain);
    }
    int out = part->nodes[2];
    bl_circuit_add_source(self, out, (bl_terms){2, {out - 1, inner.unknowns[0]}, {1, -1}});
}

/* Adds a transistor by the transport model of J. J. Ebers and J. L. Moll, 1954: the currents of
   both junctions, with their shares of each lead. */
static void add_transistor(bl_circuit_builder *self, const bl_part *part) {
    int base = part->nodes[0] - 1, collector = part->nodes[1] - 1, emitter = part->nodes[2] - 1;
    double forward = 1 / part->values[1], reverse = part->values[2];
    add_law(self, bl_between(part->nodes[0], part->nodes[2]),
            (bl_terms){3, {base, collector, emitter}, {forward, 1, -1 - forward}}, BL_LAW_JUNCTION,
            part->values[0], THERMAL_VOLTAGE);
    if (reverse > 0) {
        add_law(self, bl_between(part->nodes[0], part->nodes[1]),
                (bl_terms){3, {base, emitter, collector}, {1 / reverse, 1, -1 - 1 / reverse}},
                BL_LAW_JUNCTION, part->values[0], THERMAL_VOLTAGE);
    }
}

static void add_triode(bl_circuit_builder *self, const bl_part *part) {
    int grid = part->nodes[0], plate = part->nodes[1], cathode = part->nodes[2];
    add_law(self, bl_between(grid, cathode), bl_between(grid, cathode), BL_LAW_JUNCTION,
            part->values[0], part->values[1] * THERMAL_VOLTAGE);
    add_law(self, bl_between(plate, cathode), bl_between(plate, cathode), BL_LAW_PLATE, 1,
            PLATE_WIDTH);
    for (int place = 0; place < BL_TRIODE_TABLE_COUNT; place += 1) {
        double x = BL_TRIODE_TABLE_FIRST + (double)place / BL_TRIODE_TABLE_STEPS;
        double soft = log1p(exp(x));
        self->circuit->triode.of[place][0] = pow(soft, 1.4);
        self->circuit->triode.of[place][1] =
            1.4 * pow(soft, 0.4) / (1 + exp(-x)) / BL_TRIODE_TABLE_STEPS;
    }
}

void bl_circuit_add_device(bl_circuit_builder *self, const bl_part *part) {
    if (part->kind == BL_PART_OP_AMP) {
        add_op_amp(self, part);
    } else if (part->kind == BL_PART_TRANSISTOR) {
        add_transistor(self, part);
    } else if (part->kind == BL_PART_TRIODE) {
        add_triode(self, part);
    } else {
        bl_terms ends = bl_between(part->nodes[0], part->nodes[1]);
        add_law(self, ends, ends, part->kind == BL_PART_DIODE ? BL_LAW_JUNCTION : BL_LAW_DIODES,
                part->values[0], part->values[1] * THERMAL_VOLTAGE);
    }
}
