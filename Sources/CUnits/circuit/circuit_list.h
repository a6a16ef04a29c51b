/* Short names for lists of parts. */
#pragma once

#include "circuit/circuit_plan.h"

#define G BL_NODE_GROUND
#define IN BL_NODE_INPUT
#define OUT BL_NODE_OUTPUT

#define RESISTOR(a, b, ohms)                                                                       \
    { BL_PART_RESISTOR, {a, b}, {ohms}, 0, 0 }
#define CAPACITOR(a, b, farads)                                                                    \
    { BL_PART_CAPACITOR, {a, b}, {farads}, 0, 0 }
#define POT(knob, taper, a, wiper, b, ohms)                                                        \
    { BL_PART_POT, {a, wiper, b}, {ohms}, knob, taper }
#define RHEOSTAT(knob, taper, a, b, ohms)                                                          \
    { BL_PART_POT, {a, b, b}, {ohms}, knob, taper }
#define SUPPLY(node, volts)                                                                        \
    { BL_PART_SUPPLY, {node}, {volts}, 0, 0 }
#define BUFFER(in, out)                                                                            \
    { BL_PART_BUFFER, {in, out}, {0}, 0, 0 }
#define OP_AMP(plus, minus, out, ...)                                                              \
    { BL_PART_OP_AMP, {plus, minus, out}, {__VA_ARGS__}, 0, 0 }
#define DIODE(a, b, ...)                                                                           \
    { BL_PART_DIODE, {a, b}, {__VA_ARGS__}, 0, 0 }
#define DIODES(a, b, ...)                                                                          \
    { BL_PART_DIODES, {a, b}, {__VA_ARGS__}, 0, 0 }
#define TRANSISTOR(base, collector, emitter, ...)                                                  \
    { BL_PART_TRANSISTOR, {base, collector, emitter}, {__VA_ARGS__}, 0, 0 }
#define TRIODE(grid, plate, cathode, ...)                                                          \
    { BL_PART_TRIODE, {grid, plate, cathode}, {__VA_ARGS__}, 0, 0 }
#define END                                                                                        \
    { BL_PART_END, {0}, {0}, 0, 0 }
