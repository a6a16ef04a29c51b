/* The growing equations that circuit_build.c, circuit_parts.c and circuit_devices.c share. */
#pragma once

#include "circuit/circuit.h"

enum { BL_CIRCUIT_UNKNOWNS = 64, BL_CIRCUIT_TERMS = 4 };

/* A few unknowns with weights: the voltage that a port senses, or the path of a current. */
typedef struct bl_terms {
    int count;
    int unknowns[BL_CIRCUIT_TERMS]; /* -1: ground */
    double weights[BL_CIRCUIT_TERMS];
} bl_terms;

typedef struct bl_circuit_builder {
    bl_circuit *circuit;
    double sample_rate;
    bool rests; /* at rest: no current flows through capacitors */
    int unknowns;
    double matrix[BL_CIRCUIT_UNKNOWNS][BL_CIRCUIT_UNKNOWNS];
    bl_terms capacitors[BL_CIRCUIT_STATES], turned[BL_CIRCUIT_TURNED];
    bl_terms senses[BL_CIRCUIT_LAWS], ways[BL_CIRCUIT_LAWS];
    bl_terms supplies; /* the sources' rows, with their volts */
    int input;         /* row of the input's source */
} bl_circuit_builder;

/* The voltage or path from one node to another. */
bl_terms bl_between(int a, int b);

/* Adds a current along `way`: `conductance` times the sensed voltage. [control] */
void bl_circuit_conduct(bl_circuit_builder *builder, bl_terms way, bl_terms senses,
                        double conductance);

/* Adds a capacitor by the trapezoidal rule: a conductance, and a current that is the state.
   [control] */
void bl_circuit_add_capacitor(bl_circuit_builder *builder, bl_terms ends, double farads);

/* Adds a voltage source at a node, which holds the sensed voltage at a value; returns its row.
   [control] */
int bl_circuit_add_source(bl_circuit_builder *builder, int node, bl_terms senses);

/* Adds a part of those in circuit_devices.c. [control] */
void bl_circuit_add_device(bl_circuit_builder *builder, const bl_part *part);

/* Adds the equations of a list. [control] */
void bl_circuit_add_parts(bl_circuit_builder *builder, const bl_part *parts);
