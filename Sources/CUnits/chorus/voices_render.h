/* The sound of the chorus and of the flanger, included by voices.h. */

/* A stretch of frames, with values that all channels share. */
typedef struct stretch {
    uint32_t frames;
    double delay[VOICES_STRETCH];                 /* the middle of the sweep, frames */
    double backs[2][VOICES_MOST][VOICES_STRETCH]; /* delays of even and of odd channels */
    float gains[VOICES_MOST][VOICES_STRETCH];
    float feedback[VOICES_STRETCH];
    float dry[VOICES_STRETCH], wet[VOICES_STRETCH], crossed[VOICES_STRETCH], late[VOICES_STRETCH];
    bool crosses, waits;
} stretch;

/* Fills in each voice's delay. Voices are a golden section of a turn apart, which spreads any
   number of them; odd channels are `spread` ahead. */
BL_INLINE void fill_backs(const voices_unit *unit, stretch *now, const uint32_t *phases,
                          const double *depths) BL_NONBLOCKING {
    const bl_ramp *spread = &unit->base.parameters[VOICES_SPREAD];
    bool bends = bl_ramp_is_moving(&unit->shape) || unit->shape.target > 0;
    uint32_t sides = unit->base.output_channel_count > 1 ? 2 : 1;
    for (uint32_t side = 0; side < sides; side += 1) {
        for (uint32_t voice = 0; voice < VOICES_MOST; voice += 1) {
            bool sounds = bl_ramp_is_moving(&unit->voices[voice]) || unit->voices[voice].target > 0;
            for (uint32_t frame = 0; sounds && frame < now->frames; frame += 1) {
                float degrees = side == 0 ? 0 : bl_ramp_value(spread, frame);
                uint32_t phase = bl_lfo_ahead(phases[frame], degrees) + voice * 0x9E3779B9u;
                double wave = bl_lfo_sine(phase);
                if (bends) {
                    wave += (double)bl_ramp_value(&unit->shape, frame) *
                            (bl_lfo_triangle(phase) - wave);
                }
                double back = now->delay[frame] + depths[frame] * wave;
                now->backs[side][voice][frame] =
                    back > BL_MODDELAY_SHORTEST ? back : BL_MODDELAY_SHORTEST;
            }
        }
    }
}

/* Fills in the shares of dry and wet sound, which keep the power of uncorrelated sounds. */
BL_INLINE void fill_shares(const voices_unit *unit, stretch *now) BL_NONBLOCKING {
    const bl_ramp *parameters = unit->base.parameters;
    bool moves = bl_ramp_is_moving(&parameters[VOICES_MIX]) ||
                 bl_ramp_is_moving(&parameters[VOICES_FEEDBACK]) ||
                 bl_ramp_is_moving(&unit->crossed) || bl_ramp_is_moving(&unit->late);
    for (uint32_t voice = 0; voice < VOICES_MOST; voice += 1) {
        moves = moves || bl_ramp_is_moving(&unit->voices[voice]);
    }
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        if (!moves && frame > 0) {
            for (uint32_t voice = 0; voice < VOICES_MOST; voice += 1) {
                now->gains[voice][frame] = now->gains[voice][0];
            }
            now->dry[frame] = now->dry[0];
            now->wet[frame] = now->wet[0];
            now->feedback[frame] = now->feedback[0];
            now->crossed[frame] = now->crossed[0];
            now->late[frame] = now->late[0];
            continue;
        }
        float power = 0;
        for (uint32_t voice = 0; voice < VOICES_MOST; voice += 1) {
            float gain = bl_ramp_value(&unit->voices[voice], frame);
            now->gains[voice][frame] = gain;
            power += gain * gain;
        }
        float scale = 1.0f / __builtin_elementwise_sqrt(power);
        for (uint32_t voice = 0; voice < VOICES_MOST; voice += 1) {
            now->gains[voice][frame] *= scale;
        }
        bl_shares shares = bl_equal_power(bl_ramp_value(&parameters[VOICES_MIX], frame));
        now->dry[frame] = shares.dry;
        now->wet[frame] = shares.wet;
        now->feedback[frame] = bl_ramp_value(&parameters[VOICES_FEEDBACK], frame) * 0.01f * scale;
        now->crossed[frame] = bl_ramp_value(&unit->crossed, frame);
        now->late[frame] = bl_ramp_value(&unit->late, frame);
    }
    now->crosses = bl_ramp_is_moving(&unit->crossed) || unit->crossed.target > 0;
    now->waits = bl_ramp_is_moving(&unit->late) || unit->late.target > 0;
}

/* Fills in the stretch, from `first` of the cycle on, and advances everything but the tone and the
   lines. */
BL_INLINE void fill_stretch(voices_unit *unit, uint32_t first, stretch *now) BL_NONBLOCKING {
    bl_ramp *parameters = unit->base.parameters;
    double rate = 1 / (VOICES_GLIDE_TIME * unit->base.sample_rate);
    double depths[VOICES_STRETCH];
    uint32_t phases[VOICES_STRETCH];
    bool moves = bl_ramp_is_moving(&parameters[VOICES_DELAY]) ||
                 bl_ramp_is_moving(&parameters[VOICES_DEPTH]) ||
                 !bl_glide_rests(&unit->delay, wanted_frames(unit, VOICES_DELAY, 0)) ||
                 !bl_glide_rests(&unit->depth, wanted_frames(unit, VOICES_DEPTH, 0));
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        if (moves) {
            bl_glide_step(&unit->delay, wanted_frames(unit, VOICES_DELAY, frame), rate,
                          VOICES_FASTEST);
            bl_glide_step(&unit->depth, wanted_frames(unit, VOICES_DEPTH, frame), rate,
                          VOICES_FASTEST);
        }
        double room = unit->delay.value - BL_MODDELAY_SHORTEST;
        now->delay[frame] = unit->delay.value;
        depths[frame] = unit->depth.value < room ? unit->depth.value : room;
    }
    bl_beat_lfo_fill(&unit->lfo, &parameters[VOICES_RATE], &parameters[VOICES_SYNC],
                     unit->base.sample_rate, first, phases, now->frames);
    fill_backs(unit, now, phases, depths);
    fill_shares(unit, now);
    for (uint32_t index = VOICES_SYNC; index < unit->base.descriptor->parameter_count; index += 1) {
        if (index != VOICES_TONE) {
            bl_ramp_advance(&parameters[index], now->frames);
        }
    }
    for (uint32_t voice = 0; voice < VOICES_MOST; voice += 1) {
        bl_ramp_advance(&unit->voices[voice], now->frames);
    }
    bl_ramp_advance(&unit->shape, now->frames);
    bl_ramp_advance(&unit->crossed, now->frames);
    bl_ramp_advance(&unit->late, now->frames);
}

/* The shortest delay of any voice that sounds in the stretch, whole frames. */
BL_INLINE uint32_t shortest_back(const voices_unit *unit, const stretch *now) BL_NONBLOCKING {
    uint32_t sides = unit->base.output_channel_count > 1 ? 2 : 1;
    int32_t shortest = (int32_t)now->delay[0];
    for (uint32_t side = 0; side < sides; side += 1) {
        for (uint32_t voice = 0; voice < VOICES_MOST; voice += 1) {
            bool sounds = now->gains[voice][0] > 0 || now->gains[voice][now->frames - 1] > 0;
            for (uint32_t frame = 0; sounds && frame < now->frames; frame += 1) {
                int32_t back = (int32_t)now->backs[side][voice][frame];
                shortest = back < shortest ? back : shortest;
            }
        }
    }
    return (uint32_t)shortest;
}

/* The voices of one channel, `frames` frames from frame `first` of the stretch on. */
BL_INLINE void read_voices(voices_unit *unit, uint32_t channel, const stretch *now, uint32_t first,
                           uint32_t frames, float *sum) BL_NONBLOCKING {
    const float *line = unit->lines + (size_t)(2 * channel) * bl_moddelay_floats(&unit->clock);
    float voiced[VOICES_STRETCH];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] = 0;
    }
    for (uint32_t voice = 0; voice < VOICES_MOST; voice += 1) {
        const float *gains = now->gains[voice];
        if (gains[0] == 0 && gains[now->frames - 1] == 0) {
            continue;
        }
        bl_moddelay_read(&unit->clock, &unit->sinc, line, now->backs[channel % 2][voice] + first,
                         voiced, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            sum[frame] += gains[first + frame] * voiced[frame];
        }
    }
    bl_one_pole_process(&unit->tones[channel], &unit->tone_clock,
                        &unit->base.parameters[VOICES_TONE], unit->tone_scale, sum, sum, frames);
}

/* Processes one channel: writes its lines and its output. `partner` is the other side's voices, or
   NULL. */
BL_INLINE void mix_channel(voices_unit *unit, uint32_t channel, const stretch *now, uint32_t first,
                           uint32_t frames, const float *voices, const float *partner,
                           const float *from, float *to) BL_NONBLOCKING {
    float *line = unit->lines + (size_t)(2 * channel) * bl_moddelay_floats(&unit->clock);
    float *input_line = line + bl_moddelay_floats(&unit->clock);
    float dry[VOICES_STRETCH], looped[VOICES_STRETCH], late[VOICES_STRETCH];
    memcpy(dry, from, frames * sizeof(float));
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        looped[frame] = dry[frame] + now->feedback[first + frame] * voices[frame];
    }
    bl_moddelay_write(&unit->clock, line, looped, frames);
    bl_moddelay_write(&unit->clock, input_line, dry, frames);
    if (now->waits) {
        bl_moddelay_read(&unit->clock, &unit->sinc, input_line, now->delay + first, late, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            dry[frame] += now->late[first + frame] * (late[frame] - dry[frame]);
        }
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float wet = voices[frame];
        if (partner != NULL) {
            float crossed = now->crossed[first + frame];
            wet = (wet - crossed * partner[frame]) / (1.0f + 0.41421356f * crossed);
        }
        to[frame] = now->dry[first + frame] * dry[frame] + now->wet[first + frame] * wet;
    }
}

static BL_VECTOR_CLONES void process(bl_unit *instance, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    voices_unit *unit = (voices_unit *)instance;
    bl_ramp *tone = &unit->base.parameters[VOICES_TONE];
    uint32_t channels = unit->base.output_channel_count;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.frames = bl_frames_before_end(&unit->shape, bl_fewer(frames - done, VOICES_STRETCH));
        now.frames = bl_frames_before_ends(unit->voices, VOICES_MOST, now.frames);
        fill_stretch(unit, first_frame + done, &now);
        uint32_t shortest = shortest_back(unit, &now);
        for (uint32_t at = 0, part = 0; at < now.frames; at += part) {
            part = bl_moddelay_readable(shortest, now.frames - at);
            part = bl_one_pole_begin(&unit->tone_clock, tone, unit->tone_scale, part);
            uint32_t from = first_frame + done + at;
            for (uint32_t first = 0; first < channels; first += 2) {
                uint32_t sides = bl_fewer(2, channels - first);
                float voices[2][VOICES_STRETCH];
                for (uint32_t side = 0; side < sides; side += 1) {
                    read_voices(unit, first + side, &now, at, part, voices[side]);
                }
                for (uint32_t side = 0; side < sides; side += 1) {
                    mix_channel(unit, first + side, &now, at, part, voices[side],
                                now.crosses && sides == 2 ? voices[1 - side] : NULL,
                                io->input[first + side] + from, io->output[first + side] + from);
                }
            }
            bl_one_pole_advance(&unit->tone_clock, tone, part);
            bl_ramp_advance(tone, part);
            bl_moddelay_advance(&unit->clock, part);
        }
    }
}
