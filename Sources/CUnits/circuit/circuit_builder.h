/* What circuit_build.c, circuit_parts.c and circuit_devices.c share: equations as they grow. */
#pragma once

#include "circuit/circuit.h"

enum { BL_CIRCUIT_UNKNOWNS = 64, BL_CIRCUIT_TERMS = 4 };

/* A few unknowns with weights: what a port senses, or which way a current flows. */
typedef struct bl_terms {
    int count;
    int unknowns[BL_CIRCUIT_TERMS]; /* -1: ground */
    double weights[BL_CIRCUIT_TERMS];
} bl_terms;

typedef struct bl_circuit_builder {
    bl_circuit *circuit;
    double sample_rate;
    bool rests; /* no current flows through capacitors */
    int unknowns;
    double matrix[BL_CIRCUIT_UNKNOWNS][BL_CIRCUIT_UNKNOWNS];
    bl_terms capacitors[BL_CIRCUIT_STATES], turned[BL_CIRCUIT_TURNED];
    bl_terms senses[BL_CIRCUIT_LAWS], ways[BL_CIRCUIT_LAWS];
    bl_terms supplies; /* rows of sources, with their volts */
    int input;         /* row of its source */
} bl_circuit_builder;

/* From one node to another. */
bl_terms bl_between(int a, int b);

/* A current along `way`, `conductance` times what is sensed. [control] */
void bl_circuit_conduct(bl_circuit_builder *builder, bl_terms way, bl_terms senses,
                        double conductance);

/* By the trapezoidal rule: a conductance, and a current that is the state. [control] */
void bl_circuit_add_capacitor(bl_circuit_builder *builder, bl_terms ends, double farads);

/* A voltage source at a node, which holds what is sensed at a value; answers its row. [control] */
int bl_circuit_add_source(bl_circuit_builder *builder, int node, bl_terms senses);

/* A part that circuit_devices.c knows. [control] */
void bl_circuit_add_device(bl_circuit_builder *builder, const bl_part *part);

/* Adds the equations of a list. [control] */
void bl_circuit_add_parts(bl_circuit_builder *builder, const bl_part *parts);
