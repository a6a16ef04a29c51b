/* What the stereo tools do to the sound: a matrix from left and right to middle and side, the
   crossover, a matrix back, the delay. */
#include "dsp/sine.h"
#include "stereo_tools/stereo_tools.h"

/* out[0] = gains[0][0] * in[0] + gains[0][1] * in[1], out[1] = gains[1][0] * in[0] + ... */
typedef struct bl_matrix {
    float gains[2][2];
} bl_matrix;

/* a × b. */
BL_INLINE bl_matrix product(bl_matrix a, bl_matrix b) BL_NONBLOCKING {
    bl_matrix c;
    for (int row = 0; row < 2; row += 1) {
        for (int column = 0; column < 2; column += 1) {
            c.gains[row][column] =
                a.gains[row][0] * b.gains[0][column] + a.gains[row][1] * b.gains[1][column];
        }
    }
    return c;
}

BL_INLINE bl_double2 through(bl_matrix matrix, bl_double2 in) BL_NONBLOCKING {
    return (bl_double2){(double)matrix.gains[0][0] * in[0] + (double)matrix.gains[0][1] * in[1],
                        (double)matrix.gains[1][0] * in[0] + (double)matrix.gains[1][1] * in[1]};
}

/* From the inputs, by polarity and swap, to middle = (left + right) / 2 and side = (left - right) /
   2; a decoder's inputs are middle and side already. */
static bl_matrix to_middle_side(const bl_ramp *switches, uint32_t frame) BL_NONBLOCKING {
    float swap = bl_ramp_value(&switches[BL_STEREO_SWITCH_SWAP], frame);
    float left = 1 - 2 * bl_ramp_value(&switches[BL_STEREO_SWITCH_INVERT_LEFT], frame);
    float right = 1 - 2 * bl_ramp_value(&switches[BL_STEREO_SWITCH_INVERT_RIGHT], frame);
    float decode = bl_ramp_value(&switches[BL_STEREO_SWITCH_DECODE], frame);
    float half = 0.5f * (1 - decode);
    bl_matrix sides = {{{(1 - swap) * left, swap * right}, {swap * left, (1 - swap) * right}}};
    bl_matrix encode = {{{decode + half, half}, {half, decode - half}}};
    return product(encode, sides);
}

/* From middle and side, by width, to left and right (an encoder's outputs stay middle and side),
   then by rotation and balance. */
static bl_matrix to_outputs(const bl_ramp *parameters, const bl_ramp *switches,
                            uint32_t frame) BL_NONBLOCKING {
    float width = 0.01f * bl_ramp_value(&parameters[BL_STEREO_WIDTH], frame);
    float balance = bl_ramp_value(&parameters[BL_STEREO_BALANCE], frame);
    float turn = bl_ramp_value(&parameters[BL_STEREO_ROTATE], frame) * (1.0f / 90);
    float sine = bl_sine_of_quarter_turns(turn);
    float cosine = turn == 0 ? 1 : bl_sine_of_quarter_turns(1 - (turn < 0 ? -turn : turn));
    float left = balance > 0 ? bl_sine_of_quarter_turns(1 - balance) : 1;
    float right = balance < 0 ? bl_sine_of_quarter_turns(1 + balance) : 1;
    float encode = bl_ramp_value(&switches[BL_STEREO_SWITCH_ENCODE], frame);
    float both = 1 - encode;
    bl_matrix decode = {{{1, both * width}, {both, (encode - both) * width}}};
    bl_matrix turned = {{{left * cosine, -left * sine}, {right * sine, right * cosine}}};
    return product(turned, decode);
}

/* A crossover of Linkwitz and Riley, fourth order: the side loses what is below it, the middle
   takes the all-pass to which the crossover's two bands add up, and so stays in phase. */
BL_INLINE bl_double2 make_bass_mono(bl_stereo_tools_unit *tools,
                                    const bl_svf_coefficients *coefficients, bl_double2 in,
                                    float amount) BL_NONBLOCKING {
    bl_svf_outputs first = bl_svf_tick(&tools->crossover[0], coefficients, in);
    bl_svf_outputs second = bl_svf_tick(&tools->crossover[1], coefficients, first.high);
    bl_double2 all_pass = 2 * (first.low + first.high) - in;
    bl_double2 out = {all_pass[0], second.high[1]};
    return in + (double)amount * (out - in);
}

/* Both sides from the line, the one that lags `delay` frames late. */
BL_INLINE bl_double2 read_line(const bl_stereo_tools_unit *tools, uint32_t place,
                               int32_t delay) BL_NONBLOCKING {
    uint32_t mask = tools->line_frames - 1;
    uint32_t left = delay < 0 ? (uint32_t)-delay : 0;
    uint32_t right = delay > 0 ? (uint32_t)delay : 0;
    return (bl_double2){(double)tools->line[(place - left) & mask],
                        (double)tools->line[tools->line_frames + ((place - right) & mask)]};
}

/* One frame through the line; a new delay fades in, and the next waits until it has. */
BL_INLINE bl_double2 delay_frame(bl_stereo_tools_unit *tools, bl_double2 in,
                                 int32_t wanted) BL_NONBLOCKING {
    uint32_t place = tools->place;
    tools->line[place] = (float)in[0];
    tools->line[tools->line_frames + place] = (float)in[1];
    tools->place = (place + 1) & (tools->line_frames - 1);
    bl_double2 now = read_line(tools, place, tools->delay);
    if (tools->fade_left == 0 && wanted != tools->delay) {
        tools->next_delay = wanted;
        tools->fade_left = tools->fade_frames;
    }
    if (tools->fade_left == 0) {
        return now;
    }
    bl_double2 next = read_line(tools, place, tools->next_delay);
    double weight = (double)tools->fade_left / tools->fade_frames;
    tools->fade_left -= 1;
    tools->delay = tools->fade_left == 0 ? tools->next_delay : tools->delay;
    return next + weight * (now - next);
}

static bool any_moves(const bl_ramp *ramps, uint32_t count) BL_NONBLOCKING {
    bool moves = false;
    for (uint32_t index = 0; index < count; index += 1) {
        moves = moves || bl_ramp_is_moving(&ramps[index]);
    }
    return moves;
}

static void advance(bl_ramp *ramps, uint32_t count, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < count; index += 1) {
        bl_ramp_advance(&ramps[index], frames);
    }
}

BL_VECTOR_CLONES void bl_stereo_tools_process(bl_unit *unit, float *const *input,
                                              float *const *output, uint32_t first_frame,
                                              uint32_t frames) BL_NONBLOCKING {
    bl_stereo_tools_unit *tools = (bl_stereo_tools_unit *)unit;
    bl_ramp *parameters = tools->base.parameters;
    const bl_ramp *mono = &tools->switches[BL_STEREO_SWITCH_MONO];
    const float *right = input[tools->base.input_channel_counts[0] - 1];
    bool moves = any_moves(parameters, BL_STEREO_PARAMETER_COUNT) ||
                 any_moves(tools->switches, BL_STEREO_SWITCH_COUNT);
    bl_matrix entry, exit;
    bl_svf_coefficients coefficients;
    int32_t delay = 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (moves || frame == 0) {
            entry = to_middle_side(tools->switches, frame);
            exit = to_outputs(parameters, tools->switches, frame);
            float cutoff = bl_ramp_value(&parameters[BL_STEREO_MONO_BELOW], frame);
            bl_svf_tune(&coefficients, cutoff / (float)tools->base.sample_rate, 0);
            delay = bl_stereo_wanted_delay(tools, frame);
        }
        bl_double2 in = {(double)input[0][first_frame + frame], (double)right[first_frame + frame]};
        bl_double2 middle_side = through(entry, in);
        float amount = bl_ramp_value(mono, frame);
        if (amount > 0) {
            if (!tools->splits) {
                memset(tools->crossover, 0, sizeof tools->crossover);
            }
            middle_side = make_bass_mono(tools, &coefficients, middle_side, amount);
        }
        tools->splits = amount > 0;
        bl_double2 out = delay_frame(tools, through(exit, middle_side), delay);
        bl_correlation_hear(&tools->correlation, tools->correlation_pace, out);
        output[0][first_frame + frame] = (float)out[0];
        output[1][first_frame + frame] = (float)out[1];
    }
    advance(parameters, BL_STEREO_PARAMETER_COUNT, frames);
    advance(tools->switches, BL_STEREO_SWITCH_COUNT, frames);
}
