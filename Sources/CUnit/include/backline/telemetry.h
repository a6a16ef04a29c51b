/* A unit's telemetry, shown while somebody watches: arrays of values. (A single value, such as a
   gain reduction, is a parameter that is readable and not writable.) */
#ifndef BACKLINE_TELEMETRY_H
#define BACKLINE_TELEMETRY_H

#include <stdint.h>

/* Values of one array at most, and arrays of one unit. */
#define BL_TELEMETRY_CAPACITY 4096u
#define BL_MOST_TELEMETRY 16u

typedef enum bl_telemetry_kind {
    BL_TELEMETRY_CURVE,  /* values along an axis of the unit's own, such as a response */
    BL_TELEMETRY_SAMPLES /* the latest samples of a signal inside the unit, oldest first */
} bl_telemetry_kind;

typedef struct bl_telemetry_info {
    const char *identifier; /* "response" */
    const char *name;       /* "Impulse Response" */
    bl_telemetry_kind kind;
    uint32_t capacity; /* highest number of values, 1 to BL_TELEMETRY_CAPACITY */
} bl_telemetry_info;

#endif
