/* Cabinet: a blend of two loudspeaker cabinets, from files with their impulse responses. */
#include "base/built_in.h"
#include "convolver/convolver_unit.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"

enum {
    PARAMETER_BLEND,
    PARAMETER_INVERT,
    PARAMETER_TRIM,
    PARAMETER_LOW_CUT,
    PARAMETER_HIGH_CUT,
    PARAMETER_LEVEL,
    PARAMETER_MIX,
    PARAMETER_COUNT
};
enum { CABINETS = BL_CONVOLVER_SLOTS };

static const char *const off_on[] = {"Off", "On", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PARAMETER_BLEND] = {"blend", NULL, "Blend", BL_UNIT_PERCENT, 0, 100, 0, BL_CURVE_LINEAR,
                         BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    [PARAMETER_INVERT] = {"invert", NULL, "Invert B", BL_UNIT_BOOLEAN, 0, 1, 0, BL_CURVE_LINEAR,
                          BL_PARAMETER_STEPPED_FLAGS, .value_strings = off_on},
    [PARAMETER_TRIM] = {"trim", NULL, "Trim", BL_UNIT_MILLISECONDS, 5, 500, 200,
                        BL_CURVE_LOGARITHMIC, BL_PARAMETER_STEPPED_FLAGS},
    [PARAMETER_LOW_CUT] = BL_LOW_CUT_PARAMETER(BL_LOW_CUT_OFF, 2),
    [PARAMETER_HIGH_CUT] = BL_HIGH_CUT_PARAMETER(BL_HIGH_CUT_OFF, 3),
    [PARAMETER_LEVEL] = {"level", NULL, "Level", BL_UNIT_DECIBELS, -48, 24, 0, BL_CURVE_LINEAR,
                         BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 4},
    [PARAMETER_MIX] = {"mix", NULL, "Mix", BL_UNIT_PERCENT, 0, 100, 100, BL_CURVE_LINEAR,
                       BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 5},
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Cabinet A", {PARAMETER_BLEND, 0}),
    BL_PRESET("Cabinet B", {PARAMETER_BLEND, 100}),
    BL_PRESET("Both", {PARAMETER_BLEND, 50}),
    BL_PRESET("Out of Phase", {PARAMETER_BLEND, 40}, {PARAMETER_INVERT, 1}, {PARAMETER_LEVEL, 4}),
    BL_PRESET("Tight", {PARAMETER_TRIM, 20}, {PARAMETER_LOW_CUT, 90}),
    BL_PRESET("Dark", {PARAMETER_HIGH_CUT, 3500}, {PARAMETER_LOW_CUT, 60}),
    BL_PRESET("Direct and Cabinet", {PARAMETER_MIX, 60}, {PARAMETER_LOW_CUT, 60}),
};

typedef struct cabinet_unit {
    bl_convolver_unit common;
    bl_ramp polarity; /* polarity of B: 1 or -1 */
} cabinet_unit;

static bool create(bl_unit *unit) {
    bl_convolver_create(unit, CABINETS, true);
    return true;
}

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    if (index >= CABINETS) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    return bl_convolver_slot_open(&((cabinet_unit *)unit)->common.slots[index], value, message,
                                  message_size);
}

static bl_response_trim wanted_trim(const cabinet_unit *cabinet) BL_NONBLOCKING {
    return (bl_response_trim){
        .length = 1,
        .longest = cabinet->common.base.parameters[PARAMETER_TRIM].target * 0.001f,
        .level = BL_RESPONSE_ENERGY,
    };
}

static float wanted_polarity(const cabinet_unit *cabinet) BL_NONBLOCKING {
    return cabinet->common.base.parameters[PARAMETER_INVERT].target >= 0.5f ? -1 : 1;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    cabinet_unit *cabinet = (cabinet_unit *)unit;
    bl_response_trim trim = wanted_trim(cabinet);
    bl_convolver_reset(unit, &trim);
    bl_ramp_set(&cabinet->polarity, wanted_polarity(cabinet));
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    cabinet_unit *cabinet = (cabinet_unit *)unit;
    bl_kit_apply(unit, event);
    bl_switch(&cabinet->polarity, wanted_polarity(cabinet), cabinet->common.base.sample_rate,
              io == NULL);
}

/* Mixes the two cabinets: their sounds are similar, so their levels and not their powers add. */
BL_INLINE void blend(const cabinet_unit *cabinet, float *a, const float *b,
                     uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *share = &cabinet->common.base.parameters[PARAMETER_BLEND];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float of_b = bl_ramp_value(share, frame) * 0.01f;
        a[frame] =
            (1 - of_b) * a[frame] + of_b * bl_ramp_value(&cabinet->polarity, frame) * b[frame];
    }
}

BL_INLINE void mix(const cabinet_unit *cabinet, const float *dry, const float *wet, float *to,
                   uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *values = cabinet->common.base.parameters;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float share = bl_ramp_value(&values[PARAMETER_MIX], frame) * 0.01f;
        float gain = bl_decibels_to_gain(bl_ramp_value(&values[PARAMETER_LEVEL], frame));
        to[frame] = (1 - share) * dry[frame] + share * gain * wet[frame];
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    cabinet_unit *cabinet = (cabinet_unit *)unit;
    uint32_t inputs = cabinet->common.base.input_channel_count;
    uint32_t outputs = cabinet->common.base.output_channel_count;
    bl_convolver_block dry, wet[CABINETS];
    uint32_t count;
    for (uint32_t done = 0; done < frames; done += count) {
        count = bl_convolver_frames(&cabinet->common, frames - done);
        count = bl_frames_before_end(&cabinet->polarity, count);
        bl_convolver_copy_input(&cabinet->common, io->input, first_frame + done, count, dry);
        bl_response_trim trim = wanted_trim(cabinet);
        for (uint32_t slot = 0; slot < CABINETS; slot += 1) {
            bl_convolver_convolve(&cabinet->common, slot, &trim, dry, wet[slot], count);
        }
        for (uint32_t channel = 0; channel < outputs; channel += 1) {
            blend(cabinet, wet[0][channel], wet[1][channel], count);
        }
        bl_convolver_cut(&cabinet->common, PARAMETER_LOW_CUT, PARAMETER_HIGH_CUT, wet[0], count);
        for (uint32_t channel = 0; channel < outputs; channel += 1) {
            mix(cabinet, dry[bl_fewer(channel, inputs - 1)], wet[0][channel],
                io->output[channel] + first_frame + done, count);
        }
        bl_ramp_advance(&cabinet->polarity, count);
        bl_convolver_advance(&cabinet->common, count);
    }
}

BL_KIT(cabinet_unit, .process = process, .change = change, .prepare = bl_convolver_prepare,
       .finish = bl_convolver_finish, .reset = reset, .create = create,
       .destroy = bl_convolver_destroy)

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    return bl_convolver_tail((const bl_convolver_unit *)unit);
}

static const bl_channel_capability capabilities[] = {{1, 1}, {1, 2}, {2, 2}};
static const bl_property_info properties[] = {{"a", "Cabinet A", BL_PROPERTY_PATH, 0},
                                              {"b", "Cabinet B", BL_PROPERTY_PATH, 0}};
static const bl_telemetry_info telemetry[] = {
    {"response", "Cabinet A", BL_TELEMETRY_CURVE, BL_RESPONSE_SHOWN},
    {"response_b", "Cabinet B", BL_TELEMETRY_CURVE, BL_RESPONSE_SHOWN}};

const bl_unit_descriptor bl_cabinet = {
    BL_EFFECT('c', 'a', 'b', 'n'),
    .name = "Cabinet",
    BL_TAGS("Cabinet", "Convolution", "Tone", "Guitar"),
    .summary = "Plays through one or two loudspeaker cabinets whose responses files hold",
    BL_CONVOLVER_DESCRIPTOR,
    .tail_time = tail_time,
};
