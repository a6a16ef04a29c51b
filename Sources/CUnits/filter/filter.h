/* What the low-pass and the high-pass unit share: all but the output they take from the filter. */
#ifndef BACKLINE_FILTER_H
#define BACKLINE_FILTER_H

#include "base/effect.h"
#include "dsp/svf.h"

enum { FILTER_CUTOFF, FILTER_RESONANCE, FILTER_PARAMETER_COUNT };

/* The parameter table; resonance is the gain at the cutoff beyond a Butterworth filter's -3 dB. */
#define FILTER_PARAMETERS(default_cutoff)                                                          \
    {                                                                                              \
        [FILTER_CUTOFF] = {.identifier = "cutoff",                                                 \
                           .name = "Cutoff",                                                       \
                           .unit = BL_UNIT_HERTZ,                                                  \
                           .minimum = 10,                                                          \
                           .maximum = 20000,                                                       \
                           .default_value = default_cutoff,                                        \
                           .curve = BL_CURVE_LOGARITHMIC,                                          \
                           .flags = BL_PARAMETER_DEFAULT_FLAGS,                                    \
                           .overview_rank = 1},                                                    \
        [FILTER_RESONANCE] = {                                                                     \
            .identifier = "resonance",                                                             \
            .name = "Resonance",                                                                   \
            .unit = BL_UNIT_DECIBELS,                                                              \
            .minimum = -20,                                                                        \
            .maximum = 40,                                                                         \
            .default_value = 0,                                                                    \
            .flags = BL_PARAMETER_DEFAULT_FLAGS,                                                   \
            .overview_rank = 2                                                                     \
        }                                                                                          \
    }

typedef enum filter_response { FILTER_LOW_PASS, FILTER_HIGH_PASS } filter_response;

typedef struct filter_unit {
    bl_unit_base base;
    bl_svf_coefficients coefficients;                   /* while the parameters stand still */
    bool coefficients_known;                            /* false after each change */
    bl_svf_state states[(BL_MAXIMUM_CHANNELS + 1) / 2]; /* one a pair of channels */
} filter_unit;

bl_unit *filter_create(const bl_unit_descriptor *descriptor);
void filter_set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING;
bl_status filter_allocate(bl_unit *unit, const bl_render_configuration *configuration);
void filter_reset(bl_unit *unit) BL_NONBLOCKING;
void filter_apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING;
double filter_tail_time(const bl_unit *unit) BL_NONBLOCKING;
void filter_process_low_pass(bl_unit *unit, float *const *input, float *const *output,
                             uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;
void filter_process_high_pass(bl_unit *unit, float *const *input, float *const *output,
                              uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;

#endif
