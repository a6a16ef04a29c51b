/* The stereo tools' sound: a matrix from left and right to middle and side, the crossover, a matrix
   back, the delay. */
#include <string.h>

#include "dsp/history.h"
#include "dsp/sine.h"
#include "stereo_tools/stereo_tools.h"

typedef float stereo_chunk[2][BL_CHUNK_FRAMES];

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

/* The matrix from the inputs, by polarity and swap, to middle = (left + right) / 2 and side = (left
   - right) / 2; a decoder's inputs are middle and side already. */
BL_INLINE bl_matrix to_middle_side(const bl_ramp *switches, uint32_t frame) BL_NONBLOCKING {
    float swap = bl_ramp_value(&switches[BL_STEREO_SWITCH_SWAP], frame);
    float left = 1 - 2 * bl_ramp_value(&switches[BL_STEREO_SWITCH_INVERT_LEFT], frame);
    float right = 1 - 2 * bl_ramp_value(&switches[BL_STEREO_SWITCH_INVERT_RIGHT], frame);
    float decode = bl_ramp_value(&switches[BL_STEREO_SWITCH_DECODE], frame);
    float half = 0.5f * (1 - decode);
    bl_matrix sides = {{{(1 - swap) * left, swap * right}, {swap * left, (1 - swap) * right}}};
    bl_matrix encode = {{{decode + half, half}, {half, decode - half}}};
    return product(encode, sides);
}

/* The matrix from middle and side, by width, to left and right (an encoder's outputs stay middle
   and side), then by rotation and balance. */
BL_INLINE bl_matrix to_outputs(const bl_ramp *parameters, const bl_ramp *switches,
                               uint32_t frame) BL_NONBLOCKING {
    float width = 0.01f * bl_ramp_value(&parameters[WIDTH], frame);
    float balance = bl_ramp_value(&parameters[BALANCE], frame);
    float turn = bl_ramp_value(&parameters[ROTATE], frame) * (1.0f / 90);
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

/* A Linkwitz-Riley crossover, fourth order: the side loses the bass, the middle passes the all-pass
   that is the sum of the crossover's bands, and so stays in phase. */
BL_INLINE bl_double2 make_bass_mono(bl_stereo_tools_unit *tools,
                                    const bl_svf_coefficients *coefficients, bl_double2 in,
                                    float amount) BL_NONBLOCKING {
    bl_svf_outputs first = bl_svf_tick(&tools->crossover[0], coefficients, in);
    bl_svf_outputs second = bl_svf_tick(&tools->crossover[1], coefficients, first.high);
    bl_double2 all_pass = 2 * (first.low + first.high) - in;
    bl_double2 out = {all_pass[0], second.high[1]};
    return in + (double)amount * (out - in);
}

/* Writes `from` to a side's line and reads `to` from it, `delay` frames late. */
BL_INLINE void delay_side(const bl_stereo_tools_unit *tools, uint32_t side, uint32_t delay,
                          const float *from, float *to, uint32_t frames) BL_NONBLOCKING {
    float *line = tools->line + (size_t)side * tools->line_frames;
    bl_history_write(line, tools->line_frames, tools->place, from, frames);
    bl_history_read(line, tools->line_frames, tools->place - delay, to, frames);
}

/* Delays the lagging side by `delay` frames, and passes the other. */
BL_INLINE void delay_sides(const bl_stereo_tools_unit *tools, int32_t delay, stereo_chunk from,
                           stereo_chunk to, uint32_t frames) BL_NONBLOCKING {
    delay_side(tools, 0, delay < 0 ? (uint32_t)-delay : 0, from[0], to[0], frames);
    delay_side(tools, 1, delay > 0 ? (uint32_t)delay : 0, from[1], to[1], frames);
}

/* Plays frames through the line; a new delay fades in, and the next waits until it has. */
BL_INLINE void play_delayed(bl_stereo_tools_unit *tools, int32_t wanted, stereo_chunk in,
                            bl_double2 *out, uint32_t frames) BL_NONBLOCKING {
    stereo_chunk now, next;
    delay_sides(tools, tools->delay, in, now, frames);
    if (tools->fade.left == 0 && wanted != tools->delay) {
        tools->next_delay = wanted;
        bl_crossfade_begin(&tools->fade);
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        out[frame] = (bl_double2){(double)now[0][frame], (double)now[1][frame]};
    }
    if (tools->fade.left > 0) {
        delay_sides(tools, tools->next_delay, in, next, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            bl_double2 coming = {(double)next[0][frame], (double)next[1][frame]};
            double weight = (double)(tools->fade.left - frame) / tools->fade.frames;
            out[frame] = coming + weight * (out[frame] - coming);
        }
    }
    if (bl_crossfade_advance(&tools->fade, frames)) {
        tools->delay = tools->next_delay;
    }
    tools->place += frames;
}

BL_INLINE void find_settings(bl_stereo_tools_unit *tools, uint32_t frame) BL_NONBLOCKING {
    const bl_ramp *parameters = tools->base.parameters;
    bl_stereo_settings *settings = &tools->settings;
    settings->entry = to_middle_side(tools->switches, frame);
    settings->exit = to_outputs(parameters, tools->switches, frame);
    float cutoff = bl_ramp_value(&parameters[MONO_BELOW], frame);
    bl_svf_tune(&settings->crossover, cutoff / (float)tools->base.sample_rate, 0);
    settings->delay = bl_stereo_wanted_delay(tools, frame);
}

/* Plays frames with the same settings; no fade of a delay ends before the last of them. */
BL_INLINE void play(bl_stereo_tools_unit *tools, const float *left, const float *right,
                    float *const *output, uint32_t first_frame, float mono,
                    uint32_t frames) BL_NONBLOCKING {
    bl_stereo_settings settings = tools->settings;
    bl_double2 samples[BL_CHUNK_FRAMES];
    stereo_chunk sides;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 in = {(double)left[frame], (double)right[frame]};
        samples[frame] = through(settings.entry, in);
    }
    if (mono > 0 && !tools->splits) {
        memset(tools->crossover, 0, sizeof tools->crossover);
    }
    tools->splits = mono > 0;
    for (uint32_t frame = 0; frame < frames && mono > 0; frame += 1) {
        samples[frame] = make_bass_mono(tools, &settings.crossover, samples[frame], mono);
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 out = through(settings.exit, samples[frame]);
        sides[0][frame] = (float)out[0];
        sides[1][frame] = (float)out[1];
    }
    play_delayed(tools, settings.delay, sides, samples, frames);
    bl_correlation heard = tools->correlation;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_correlation_hear(&heard, tools->correlation_pace, samples[frame]);
        output[0][first_frame + frame] = (float)samples[frame][0];
        output[1][first_frame + frame] = (float)samples[frame][1];
    }
    tools->correlation = heard;
}

BL_VECTOR_CLONES void bl_stereo_tools_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                              uint32_t frames) BL_NONBLOCKING {
    bl_stereo_tools_unit *tools = (bl_stereo_tools_unit *)unit;
    bl_ramp *parameters = tools->base.parameters;
    const bl_ramp *mono = &tools->switches[BL_STEREO_SWITCH_MONO];
    const float *right = io->input[tools->base.input_channel_count - 1];
    bool moves = bl_ramps_move(parameters, PARAMETER_COUNT) ||
                 bl_ramps_move(tools->switches, BL_STEREO_SWITCH_COUNT);
    for (uint32_t done = 0, count; done < frames; done += count) {
        count = moves ? 1 : bl_fewer(frames - done, BL_CHUNK_FRAMES);
        if (moves || !tools->settings_known) {
            find_settings(tools, done);
            tools->settings_known = !moves;
        }
        count = bl_crossfade_before_end(&tools->fade, count);
        uint32_t at = first_frame + done;
        play(tools, io->input[0] + at, right + at, io->output, at, bl_ramp_value(mono, done),
             count);
    }
    bl_ramps_advance(parameters, PARAMETER_COUNT, frames);
    bl_ramps_advance(tools->switches, BL_STEREO_SWITCH_COUNT, frames);
}
