/* The circuits of the overdrive. */
#ifndef BACKLINE_CIRCUITS_H
#define BACKLINE_CIRCUITS_H

#include "overdrive/circuit_plan.h"

enum {
    BL_CIRCUIT_SCREAMER,
    BL_CIRCUIT_PLUS,
    BL_CIRCUIT_RODENT,
    BL_CIRCUIT_GOLD,
    BL_CIRCUIT_BOOST,
    BL_CIRCUIT_TRIODE,
    BL_CIRCUIT_OP_AMP,
    BL_CIRCUIT_COUNT
};

extern const bl_circuit_plan bl_circuits[BL_CIRCUIT_COUNT];

#endif
