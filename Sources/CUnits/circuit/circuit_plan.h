/* Circuits as lists of parts. Volts, amperes, ohms, farads; full scale is 1 V at the input. */
#pragma once

#include <stdint.h>

/* Nodes that every circuit has; the others follow. */
enum { BL_NODE_GROUND, BL_NODE_INPUT, BL_NODE_OUTPUT, BL_NODE_FIRST };

typedef enum bl_part_kind {
    BL_PART_END,
    BL_PART_RESISTOR,  /* a, b: ohms */
    BL_PART_CAPACITOR, /* a, b: farads */
    BL_PART_POT,       /* a, wiper, b: ohms; without b a rheostat */
    BL_PART_SUPPLY,    /* a: volts */
    BL_PART_BUFFER,    /* a, out: a follower without faults */
    /* plus, minus, out: gain-bandwidth product in Hz; slew rate in V/s and swing in V, both or
       none */
    BL_PART_OP_AMP,
    BL_PART_DIODE,      /* a, b: saturation current, emission coefficient */
    BL_PART_DIODES,     /* a, b: two, antiparallel */
    BL_PART_TRANSISTOR, /* base, collector, emitter (NPN): saturation current, betas; without the
                           reverse one it does not saturate */
    BL_PART_TRIODE,     /* grid, plate, cathode: a 12AX7 */
} bl_part_kind;

/* The share of a pot between a and the wiper, as a function of its knob. */
enum { BL_TAPER_LINEAR, BL_TAPER_AUDIO, BL_TAPER_REVERSE, BL_TAPER_REVERSE_AUDIO };

typedef struct bl_part {
    bl_part_kind kind;
    uint8_t nodes[3];
    double values[3];
    uint8_t knob, taper; /* for a pot; the unit numbers its knobs */
} bl_part;

enum { BL_CIRCUIT_STAGES = 2, BL_CIRCUIT_KNOBS = 4 };

/* A circuit, or several that play one after another: they are split where a stage hardly feels the
   next, and each has the next one's load. */
typedef struct bl_circuit_plan {
    const bl_part *stages[BL_CIRCUIT_STAGES]; /* each ended by BL_PART_END; NULL after the last */
    float gain; /* gain from volts at the output to full scale; below 0 if it inverts */
} bl_circuit_plan;
