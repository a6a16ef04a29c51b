/* Modulations: audio that moves a parameter around its knob's value. Modulations are a part of a
   graph. */
#ifndef BACKLINE_KERNEL_MODULATION_H
#define BACKLINE_KERNEL_MODULATION_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/parameter.h"

BL_BEGIN_DECLARATIONS

/* Frames between two values of a modulated parameter, joined by ramps. The grid is counted from
   sample time 0, so that the result does not depend on cycles. */
#define BL_MODULATION_STEP 32

/* A modulation of a parameter that can be set and is not a button. Several modulations of one
   parameter are added. The modulating unit is rendered before the modulated one. */
typedef struct bl_modulation {
    uint32_t source_node; /* index in the description's nodes, or BL_RACK */
    uint32_t source_bus;  /* its output bus, or an input of the rack */
    uint32_t source_channel;
    uint32_t node; /* index in the description's nodes */
    bl_parameter_address address;
    /* The part of the parameter's range by which a sample of 1 moves it, and a sample of -1 in the
       other direction. */
    float depth;
    bool is_squared; /* small samples have less effect: x becomes x·|x| */
    bool is_late;    /* delayed by BL_FEEDBACK_DELAY, which allows a loop */
} bl_modulation;

BL_END_DECLARATIONS

#endif
