/* The format converter's gains: by speakers, after Rec. ITU-R BS.775, or by a custom matrix. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "dsp/decibels.h"
#include "format_converter/format_converter.h"

#define HALF_POWER 0.70710678118654752f

/* The speakers in the order of WAVE files; surround speakers come in pairs. */
typedef enum speaker {
    LEFT,
    RIGHT,
    CENTRE,
    LFE,
    REAR_LEFT,
    REAR_RIGHT,
    SIDE_LEFT,
    SIDE_RIGHT,
    SPEAKER_COUNT
} speaker;

/* The speakers of a channel count, as bits; 0 for counts without a layout. */
static uint32_t layout_of(uint32_t channels) BL_NONBLOCKING {
    const uint32_t front = 1u << LEFT | 1u << RIGHT, rear = 1u << REAR_LEFT | 1u << REAR_RIGHT;
    const uint32_t centre = 1u << CENTRE, lfe = 1u << LFE;
    const uint32_t side = 1u << SIDE_LEFT | 1u << SIDE_RIGHT;
    switch (channels) {
    case 1: return centre;
    case 2: return front;
    case 3: return front | centre;
    case 4: return front | rear;
    case 5: return front | centre | rear;
    case 6: return front | centre | lfe | rear;
    case 8: return front | centre | lfe | rear | side;
    default: return 0;
    }
}

static uint32_t speaker_of(uint32_t layout, uint32_t channel) BL_NONBLOCKING {
    uint32_t place = 0;
    while ((layout >> place & 1) == 0 || channel > 0) {
        channel -= layout >> place & 1;
        place += 1;
    }
    return place;
}

typedef struct levels {
    float centre, surround, lfe;
} levels;

/* The gain into the front speaker `to`, left or right, of a speaker that the output lacks. */
static float front_gain(uint32_t from, uint32_t to, const levels *levels) BL_NONBLOCKING {
    switch (from) {
    case LEFT:
    case RIGHT: return from == to ? 1 : 0;
    case CENTRE: return levels->centre;
    case LFE: return levels->lfe;
    default: return (from & 1) == (to & 1) ? levels->surround : 0;
    }
}

/* The gain from one speaker to another. */
static float gain(uint32_t from, uint32_t to, uint32_t input, uint32_t output,
                  const levels *levels) BL_NONBLOCKING {
    bool is_surround = from >= REAR_LEFT && to >= REAR_LEFT && (from & 1) == (to & 1);
    bool rears_divide = (output >> SIDE_LEFT & 1) != 0 && (input >> SIDE_LEFT & 1) == 0;
    if (is_surround) {
        bool has_place = (output >> from & 1) != 0;
        return from == to ? (rears_divide ? HALF_POWER : 1)
                          : (rears_divide || !has_place ? HALF_POWER : 0);
    }
    if ((output >> from & 1) != 0) {
        return from == to ? 1 : 0;
    }
    if (output == 1u << CENTRE) {
        return from == LFE ? levels->lfe
                           : HALF_POWER *
                                 (front_gain(from, LEFT, levels) + front_gain(from, RIGHT, levels));
    }
    bool has_surround = from >= REAR_LEFT && (output >> REAR_LEFT & 1) != 0;
    return to <= RIGHT && !has_surround ? front_gain(from, to, levels) : 0;
}

static void fill_layout(const bl_format_converter_unit *converter, uint32_t inputs,
                        uint32_t outputs, bl_channel_matrix *matrix) BL_NONBLOCKING {
    const bl_ramp *ramps = converter->base.parameters;
    levels levels = {bl_fader_gain(ramps[BL_CONVERTER_CENTRE].target),
                     bl_fader_gain(ramps[BL_CONVERTER_SURROUND].target),
                     bl_fader_gain(ramps[BL_CONVERTER_LFE].target)};
    uint32_t from = layout_of(inputs), to = layout_of(outputs);
    for (uint32_t output = 0; output < outputs; output += 1) {
        for (uint32_t input = 0; input < inputs; input += 1) {
            bool has_layouts = from != 0 && to != 0 && from != to;
            matrix->gains[output][input] =
                has_layouts
                    ? gain(speaker_of(from, input), speaker_of(to, output), from, to, &levels)
                    : output == input;
        }
    }
}

/* Encodes pairs of channels as middle and side, or decodes them; a channel without its pair
   stays. */
static void fill_middle_side(bool encodes, uint32_t inputs, uint32_t outputs,
                             bl_channel_matrix *matrix) BL_NONBLOCKING {
    uint32_t paired = (inputs < outputs ? inputs : outputs) & ~1u;
    float share = encodes ? 0.5f : 1;
    for (uint32_t output = 0; output < outputs; output += 1) {
        for (uint32_t input = 0; input < inputs; input += 1) {
            bool is_pair = output < paired && input / 2 == output / 2;
            bool is_negative = (output & 1) != 0 && (input & 1) != 0;
            matrix->gains[output][input] =
                is_pair ? (is_negative ? -share : share) : output == input;
        }
    }
}

/* Limits the output's highest possible level at full scale to full scale. */
static void normalise(bl_channel_matrix *matrix, uint32_t inputs, uint32_t outputs) BL_NONBLOCKING {
    float most = 1;
    for (uint32_t output = 0; output < outputs; output += 1) {
        float sum = 0;
        for (uint32_t input = 0; input < inputs; input += 1) {
            float gain = matrix->gains[output][input];
            sum += gain < 0 ? -gain : gain;
        }
        most = sum > most ? sum : most;
    }
    for (uint32_t output = 0; output < outputs; output += 1) {
        for (uint32_t input = 0; input < inputs; input += 1) {
            matrix->gains[output][input] /= most;
        }
    }
}

void bl_channel_matrix_fill(const bl_format_converter_unit *converter,
                            bl_channel_matrix *matrix) BL_NONBLOCKING {
    const bl_ramp *ramps = converter->base.parameters;
    uint32_t inputs = converter->base.input_channel_count;
    uint32_t outputs = converter->base.output_channel_count;
    uint32_t mode = (uint32_t)ramps[BL_CONVERTER_MODE].target;
    if (mode == BL_CONVERTER_MATRIX) {
        *matrix = converter->written.slots[converter->written.front];
    } else if (mode == BL_CONVERTER_LAYOUT) {
        fill_layout(converter, inputs, outputs, matrix);
    } else {
        fill_middle_side(mode == BL_CONVERTER_ENCODE, inputs, outputs, matrix);
    }
    if (ramps[BL_CONVERTER_NORMALISE].target >= 0.5f) {
        normalise(matrix, inputs, outputs);
    }
    float level = bl_fader_gain(ramps[BL_CONVERTER_LEVEL].target);
    for (uint32_t output = 0; output < outputs; output += 1) {
        for (uint32_t input = 0; input < inputs; input += 1) {
            matrix->gains[output][input] *= level;
        }
    }
}

/* Reads the gain at the start of a text: "0.5", "-1", "-3dB"; returns its end, or NULL. */
static const char *read_gain(const char *text, float *gain) {
    double number;
    const char *end = bl_number_read(text, &number);
    if (end == NULL) {
        return NULL;
    }
    *gain = (float)number;
    if (strncmp(end, "dB", 2) == 0) {
        *gain = bl_decibels_to_gain(*gain);
        end += 2;
    }
    bool is_whole = *end == 0 || strchr(" \t\n,;", *end) != NULL;
    return is_whole && *gain >= -100 && *gain <= 100 ? end : NULL;
}

bool bl_channel_matrix_read(const char *text, bl_channel_matrix *matrix, char *message,
                            size_t message_size) {
    memset(matrix, 0, sizeof *matrix);
    uint32_t row = 0, column = 0;
    bool is_empty = true;
    for (text += strspn(text, " \t\n,"); *text != 0; text += strspn(text, " \t\n,")) {
        if (*text == ';') {
            row += 1;
            column = 0;
            text += 1;
            continue;
        }
        if (row >= BL_MAXIMUM_CHANNELS || column >= BL_MAXIMUM_CHANNELS) {
            snprintf(message, message_size, "a matrix has at most %d rows and columns",
                     BL_MAXIMUM_CHANNELS);
            return false;
        }
        const char *end = read_gain(text, &matrix->gains[row][column]);
        if (end == NULL) {
            snprintf(message, message_size,
                     "row %u, column %u: “%.20s” is not a gain; write 0.5, -1 or -3dB", row + 1,
                     column + 1, text);
            return false;
        }
        is_empty = false;
        column += 1;
        text = end;
    }
    for (uint32_t channel = 0; is_empty && channel < BL_MAXIMUM_CHANNELS; channel += 1) {
        matrix->gains[channel][channel] = 1;
    }
    return true;
}
