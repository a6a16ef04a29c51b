/* Overdrive: the circuits of guitar pedals, part by part. */
#include "overdrive/overdrive.h"

#include "base/built_in.h"

static const char *const models[] = {"Screamer",     "Plus",   "Rodent",      "Gold",
                                     "Treble Boost", "Triode", "Op-Amp Clip", NULL};

static const bl_parameter_info parameters[BL_OVERDRIVE_PARAMETER_COUNT] = {
    [BL_OVERDRIVE_MODEL] = {"model", NULL, "Model", BL_UNIT_INDEXED, 0, BL_CIRCUIT_COUNT - 1, 0,
                            BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .value_strings = models,
                            .overview_rank = 1},
    [BL_OVERDRIVE_DRIVE] = {"drive", NULL, "Drive", BL_UNIT_PERCENT, 0, 100, 50, BL_CURVE_LINEAR,
                            BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 2},
    [BL_OVERDRIVE_TONE] = {"tone", NULL, "Tone", BL_UNIT_PERCENT, 0, 100, 50, BL_CURVE_LINEAR,
                           BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 3},
    /* Of the last transistor or triode; not ramped, since each bias begins at rest. */
    [BL_OVERDRIVE_BIAS] = {"bias", NULL, "Bias", BL_UNIT_PERCENT, 0, 100, 50, BL_CURVE_LINEAR,
                           BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 6},
    [BL_OVERDRIVE_LEVEL] = {"level", NULL, "Level", BL_UNIT_DECIBELS, -24, 24, 0, BL_CURVE_LINEAR,
                            BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 4},
    [BL_OVERDRIVE_MIX] = {"mix", NULL, "Mix", BL_UNIT_PERCENT, 0, 100, 100, BL_CURVE_LINEAR,
                          BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 5},
};

#define PEDAL(model, drive, tone, level)                                                           \
    {BL_OVERDRIVE_MODEL, model}, {BL_OVERDRIVE_DRIVE, drive}, {BL_OVERDRIVE_TONE, tone}, {         \
        BL_OVERDRIVE_LEVEL, level                                                                  \
    }

static const bl_factory_preset presets[] = {
    BL_PRESET("Screamer Lead", PEDAL(BL_CIRCUIT_SCREAMER, 70, 55, -0.4f)),
    BL_PRESET("Tight Boost", PEDAL(BL_CIRCUIT_SCREAMER, 8, 65, 0.2f)),
    BL_PRESET("Plus Crunch", PEDAL(BL_CIRCUIT_PLUS, 60, 60, -1.2f)),
    BL_PRESET("Plus Fuzz", PEDAL(BL_CIRCUIT_PLUS, 100, 35, -2.4f)),
    BL_PRESET("Rodent Rhythm", PEDAL(BL_CIRCUIT_RODENT, 45, 60, -0.8f)),
    BL_PRESET("Rodent Wall", PEDAL(BL_CIRCUIT_RODENT, 95, 35, 0.5f)),
    BL_PRESET("Gold Clean", PEDAL(BL_CIRCUIT_GOLD, 15, 55, -1.6f)),
    BL_PRESET("Gold Grit", PEDAL(BL_CIRCUIT_GOLD, 80, 50, -0.4f)),
    BL_PRESET("Treble Boost", PEDAL(BL_CIRCUIT_BOOST, 90, 100, -5.2f)),
    BL_PRESET("Full Boost", PEDAL(BL_CIRCUIT_BOOST, 70, 20, -3), {BL_OVERDRIVE_BIAS, 35}),
    BL_PRESET("Triode Warmth", PEDAL(BL_CIRCUIT_TRIODE, 55, 70, -2.3f)),
    BL_PRESET("Triode Lead", PEDAL(BL_CIRCUIT_TRIODE, 95, 60, -11.9f)),
    BL_PRESET("Clipped Clean", PEDAL(BL_CIRCUIT_OP_AMP, 45, 80, 0.7f)),
    BL_PRESET("Desk Fuzz", PEDAL(BL_CIRCUIT_OP_AMP, 95, 45, -5)),
};

BL_CREATE(bl_overdrive_unit)

static void reset(bl_unit *unit) BL_NONBLOCKING { bl_overdrive_reset(unit); }

/* The circuits and the channels lie in one block. */
static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_overdrive_unit *overdrive = (bl_overdrive_unit *)unit;
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status != BL_OK) {
        return status;
    }
    size_t channels = overdrive->base.output_channel_count * sizeof(bl_overdrive_channel);
    overdrive->circuits =
        bl_unit_base_memory(unit, 1, BL_CIRCUIT_COUNT * sizeof(bl_circuit) + channels);
    if (overdrive->circuits == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    overdrive->channels = (bl_overdrive_channel *)(overdrive->circuits + BL_CIRCUIT_COUNT);
    for (uint32_t model = 0; model < BL_CIRCUIT_COUNT; model += 1) {
        bl_circuit_build(&overdrive->circuits[model], bl_circuits[model].parts,
                         8 * configuration->sample_rate);
    }
    bl_overdrive_reset(unit);
    return BL_OK;
}

static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    bl_unit_base_apply((bl_unit_base *)unit, event);
}

BL_EFFECT_RENDER(apply, bl_overdrive_process)

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return BL_OVERDRIVE_LATENCY;
}

/* The slowest capacitor's way to -60 dB. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return 0.5;
}

static const char *const tags[] = {"Distortion", "Guitar", "Bass", NULL};

const bl_unit_descriptor bl_overdrive = {
    BL_BUILT_IN(BL_TYPE_EFFECT, 'd', 'r', 'v', 's'),
    .name = "Overdrive",
    .summary = "Plays through the circuits of guitar pedals, part by part",
    BL_EFFECT_BUSSES,
    BL_FACTORY_PRESETS,
    BL_UNIT_BASE_LIFE,
    .set_parameter = bl_unit_base_set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = allocate,
    .latency = latency,
    .tail_time = tail_time,
};
