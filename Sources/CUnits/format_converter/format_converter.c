/* Format Converter: any number of channels in, any number out. */
#include "format_converter/format_converter.h"

#include "dsp/decibels.h"
#include "dsp/declick.h"

static const char *const modes[] = {"Layout", "Encode M/S", "Decode M/S", "Matrix", NULL};

/* BS.775's 0.7071 as decibels. */
#define HALF_POWER_LEVEL -3.0103f

#define LEVEL(id, name, least, most, usual, rank)                                                  \
    BL_SETTING(id, name, DECIBELS, LINEAR, least, most, usual, rank)

static const bl_parameter_info parameters[BL_CONVERTER_PARAMETER_COUNT] = {
    [BL_CONVERTER_MODE] = BL_CHOICE("mode", "Mode", modes, 0, 1),
    /* The levels in the front of channels that the output does not have. */
    [BL_CONVERTER_CENTRE] = LEVEL("centre", "Centre", BL_FADER_MINIMUM, 0, HALF_POWER_LEVEL, 2),
    [BL_CONVERTER_SURROUND] =
        LEVEL("surround", "Surround", BL_FADER_MINIMUM, 0, HALF_POWER_LEVEL, 3),
    [BL_CONVERTER_LFE] = LEVEL("lfe", "LFE", BL_FADER_MINIMUM, 10, BL_FADER_MINIMUM, 4),
    [BL_CONVERTER_NORMALISE] = BL_OFF_ON("normalise", "Normalise", 0, 5),
    [BL_CONVERTER_LEVEL] = LEVEL("level", "Level", BL_FADER_MINIMUM, 12, 0, 6),
};

static const bl_property_info properties[] = {{"matrix", "Matrix", BL_PROPERTY_TEXT, 0}};

static const bl_factory_preset presets[] = {
    BL_PRESET("BS.775", {BL_CONVERTER_MODE, BL_CONVERTER_LAYOUT}),
    BL_PRESET("No Clipping", {BL_CONVERTER_NORMALISE, 1}),
    BL_PRESET("With LFE", {BL_CONVERTER_LFE, 0}),
    BL_PRESET("Clear Dialogue", {BL_CONVERTER_CENTRE, 0}, {BL_CONVERTER_SURROUND, -9}),
    BL_PRESET("Front Only", {BL_CONVERTER_SURROUND, BL_FADER_MINIMUM}),
    BL_PRESET("Encode M/S", {BL_CONVERTER_MODE, BL_CONVERTER_ENCODE}),
    BL_PRESET("Decode M/S", {BL_CONVERTER_MODE, BL_CONVERTER_DECODE}),
};

static bool create(bl_unit *unit) {
    bl_matrix_mailbox *written = &((bl_format_converter_unit *)unit)->written;
    written->front = 1;
    atomic_init(&written->middle, 2);
    return bl_channel_matrix_read("", &written->slots[1], NULL, 0);
}

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    bl_matrix_mailbox *written = &((bl_format_converter_unit *)unit)->written;
    if (index != 0) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    if (!bl_channel_matrix_read(value, &written->slots[written->back], message, message_size)) {
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    written->back = atomic_exchange_explicit(&written->middle, written->back | BL_MATRIX_IS_NEW,
                                             memory_order_acq_rel) &
                    ~BL_MATRIX_IS_NEW;
    return BL_OK;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_format_converter_unit *converter = (bl_format_converter_unit *)unit;
    bl_format_converter_receive(converter);
    bl_channel_matrix_fill(converter, &converter->matrix);
    converter->fade.left = 0;
    converter->is_changed = false;
}

static bl_status prepare(bl_unit *unit) {
    bl_format_converter_unit *converter = (bl_format_converter_unit *)unit;
    converter->fade.frames = (uint32_t)(BL_DECLICK_TIME * converter->base.sample_rate);
    return BL_OK;
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_format_converter_unit *converter = (bl_format_converter_unit *)unit;
    bl_kit_apply(unit, event);
    if (io != NULL) {
        converter->is_changed = true;
    } else if (converter->base.maximum_frames > 0) {
        reset(unit);
    }
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    (void)io;
    bl_format_converter_receive((bl_format_converter_unit *)unit);
}

BL_KIT(bl_format_converter_unit, .process = bl_format_converter_process, .change = change,
       .cycle = cycle, .prepare = prepare, .reset = reset, .create = create)

static const bl_channel_capability capabilities[] = {{-2, -2}};

const bl_unit_descriptor bl_format_converter = {
    BL_BUILT_IN(BL_TYPE_FORMAT_CONVERTER, 'c', 'h', 'a', 'n'),
    .name = "Format Converter",
    BL_TAGS("Utility", "Channels"),
    .summary = "Mixes any number of channels to any other: surround to stereo, stereo to mono, M/S",
    .input_busses = bl_effect_input,
    .input_bus_count = 1,
    .output_busses = bl_effect_output,
    .output_bus_count = 1,
    BL_CHANNEL_CAPABILITIES,
    BL_PROPERTIES,
    BL_FACTORY_PRESETS,
};
