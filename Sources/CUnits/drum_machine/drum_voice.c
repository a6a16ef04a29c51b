/* The sound of the drum machine. */
#include "drum_machine/drum_machine.h"
#include "dsp/chunk.h"
#include "dsp/decibels.h"
#include "dsp/pan.h"
#include "dsp/sine.h"

/* Writes sines whose frequencies fall together. */
BL_INLINE void fill_sines(bl_drum_stroke *stroke, float *sum, uint32_t frames) BL_NONBLOCKING {
    uint32_t phases[BL_CHUNK_FRAMES];
    double factors[BL_CHUNK_FRAMES];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        factors[frame] = 1.0 + stroke->sweep;
        stroke->sweep -= stroke->sweep * stroke->sweep_pace;
        sum[frame] = 0;
    }
    for (uint32_t index = 0; index < BL_DRUM_OSCILLATORS && stroke->design->frequencies[index] > 0;
         index += 1) {
        bl_phase phase = stroke->phases[index];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            phases[frame] = bl_phase_top(phase);
            phase += (bl_phase)(int64_t)(stroke->increments[index] * factors[frame]);
        }
        stroke->phases[index] = phase;
        float level = stroke->design->levels[index];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            sum[frame] += level * bl_sine(phases[frame]);
        }
    }
}

/* The correction of a step of a square from -1 to 1, `turns` ago, with frames of 1 / `rate` turns:
   polyBLEP of two points, Välimäki and Huovilainen, "Antialiasing oscillators in subtractive
   synthesis", 2007. */
BL_INLINE float smooth_step(float turns, float rate) BL_NONBLOCKING {
    float after = 1.0f - turns * rate;
    float before = 1.0f - (1.0f - turns) * rate;
    after = after > 0 ? after : 0;
    before = before > 0 ? before : 0;
    return before * before - after * after;
}

/* Writes squares that run since the reset; the stroke starts anywhere in them. */
BL_INLINE void fill_squares(const bl_drum_stroke *stroke, bl_phase clock, float *sum,
                            uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] = 0;
    }
    for (uint32_t index = 0; index < BL_DRUM_OSCILLATORS && stroke->design->frequencies[index] > 0;
         index += 1) {
        bl_phase increment = (bl_phase)(int64_t)stroke->increments[index];
        float rate = (float)(0x1p64 / stroke->increments[index]);
        float level = stroke->design->levels[index];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            int32_t phase = (int32_t)bl_phase_top((clock + frame) * increment);
            float signed_turns = (float)phase * 0x1p-32f;
            float up = signed_turns < 0 ? signed_turns + 1.0f : signed_turns;
            float square = signed_turns < 0 ? -1.0f : 1.0f;
            float down = signed_turns + 0.5f;
            sum[frame] += level * (square + smooth_step(up, rate) - smooth_step(down, rate));
        }
    }
}

BL_INLINE void fill_noise(bl_drum_stroke *stroke, float *noise, uint32_t frames) BL_NONBLOCKING {
    uint32_t state = stroke->noise;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        state = state * 1664525u + 1013904223u;
        noise[frame] = (float)(int32_t)state * 0x1p-31f;
    }
    stroke->noise = state;
}

/* Filters with the layer's band, in place. */
BL_INLINE void cut(bl_drum_layer *layer, float *samples, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; layer->design->low_cut > 0 && frame < frames; frame += 1) {
        double sample = (double)samples[frame];
        bl_double2 both = {sample, sample};
        samples[frame] = (float)bl_svf_tick(&layer->cut_low, &layer->low_cut, both).high[0];
    }
    for (uint32_t frame = 0; layer->design->high_cut > 0 && frame < frames; frame += 1) {
        double sample = (double)samples[frame];
        bl_double2 both = {sample, sample};
        samples[frame] = (float)bl_svf_tick(&layer->cut_high, &layer->high_cut, both).low[0];
    }
}

/* Adds `samples`, which it changes, with the layer's envelope. */
BL_INLINE void add_layer(bl_drum_layer *layer, uint32_t burst, float *samples, float *sum,
                         uint32_t frames) BL_NONBLOCKING {
    cut(layer, samples, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (layer->bursts > 0 && layer->since_burst == burst) {
            layer->bursts -= 1;
            layer->since_burst = 0;
            layer->envelope = 1;
        }
        sum[frame] += samples[frame] * (layer->level * (float)layer->envelope);
        layer->envelope -= layer->envelope * layer->pace;
        layer->since_burst += 1;
    }
}

/* Writes the samples of a source. */
BL_INLINE void fill(bl_drum_stroke *stroke, bl_phase clock, bl_drum_source source, float *samples,
                    uint32_t frames) BL_NONBLOCKING {
    if (source == BL_DRUM_SINES) {
        fill_sines(stroke, samples, frames);
    } else if (source == BL_DRUM_SQUARES) {
        fill_squares(stroke, clock, samples, frames);
    } else {
        fill_noise(stroke, samples, frames);
    }
}

/* Adds a stroke. Adjacent layers of the same source share its samples. */
BL_INLINE void add_stroke(bl_drum_stroke *stroke, bl_phase clock, float *sum,
                          uint32_t frames) BL_NONBLOCKING {
    float source[BL_CHUNK_FRAMES], samples[BL_CHUNK_FRAMES], own[BL_CHUNK_FRAMES] = {0};
    bl_drum_source filled = BL_DRUM_NOTHING;
    for (uint32_t index = 0; index < BL_DRUM_LAYERS; index += 1) {
        bl_drum_layer *layer = &stroke->layers[index];
        if (layer->design == NULL) {
            break;
        }
        if (layer->design->source != filled) {
            filled = layer->design->source;
            fill(stroke, clock, filled, source, frames);
        }
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            samples[frame] = source[frame];
        }
        add_layer(layer, stroke->burst, samples, own, frames);
    }
    float rise = 1.0f / (float)(int32_t)(stroke->attack + 1);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float risen = (float)(int32_t)(stroke->position + frame + 1) * rise;
        risen = risen < 1.0f ? risen : 1.0f;
        sum[frame] += own[frame] * (risen * bl_ramp_value(&stroke->gain, frame));
    }
    bl_ramp_advance(&stroke->gain, frames);
    stroke->position += frames;
    stroke->remaining -= frames;
}

/* Adds a voice to the output, with its level and pan; `right` is unused with one channel. */
BL_INLINE void add_voice(const bl_ramp *settings, const bl_ramp *kit_level, const float *sum,
                         float *left, float *right, uint32_t channels,
                         uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *level = &settings[BL_DRUM_LEVEL];
    const bl_ramp *pan = &settings[BL_DRUM_PAN];
    bl_pan_gains gains;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bool moves =
            bl_ramp_is_moving(level) || bl_ramp_is_moving(pan) || bl_ramp_is_moving(kit_level);
        if (frame == 0 || moves) {
            float gain = bl_fader_gain(bl_ramp_value(level, frame)) *
                         bl_fader_gain(bl_ramp_value(kit_level, frame));
            bl_pan(&gains, 1, channels, bl_ramp_value(pan, frame), gain);
        }
        left[frame] += sum[frame] * gains.left;
        if (channels > 1) {
            right[frame] += sum[frame] * gains.right;
        }
    }
}

BL_VECTOR_CLONES void bl_drum_process(bl_drum_unit *unit, float *const *output, uint32_t first,
                                      uint32_t frames) BL_NONBLOCKING {
    uint32_t channels = unit->base.output_channel_count;
    bl_ramp *kit_level = &unit->base.parameters[KIT_LEVEL];
    for (uint32_t end = first + frames; first < end;) {
        uint32_t count = bl_fewer(end - first, BL_CHUNK_FRAMES);
        float *left = output[0] + first, *right = output[channels - 1] + first;
        for (uint32_t frame = 0; frame < count; frame += 1) {
            left[frame] = right[frame] = 0;
        }
        for (uint32_t index = 0; index < BL_DRUM_VOICES; index += 1) {
            bl_drum_voice *voice = &unit->voices[index];
            float sum[BL_CHUNK_FRAMES] = {0};
            bool sounds = false;
            for (uint32_t of = 0; of < BL_DRUM_STROKES; of += 1) {
                bl_drum_stroke *stroke = &voice->strokes[of];
                if (stroke->remaining > 0) {
                    add_stroke(stroke, unit->clock, sum, bl_fewer(count, stroke->remaining));
                    sounds = true;
                }
            }
            if (sounds) {
                add_voice(bl_drum_ramp(unit, index, BL_DRUM_MODEL), kit_level, sum, left, right,
                          channels, count);
            }
        }
        bl_ramps_advance(unit->base.parameters, PARAMETER_COUNT, count);
        unit->clock += count;
        first += count;
    }
}
