#include "convolver/impulse_response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CSoundLibraries.h"

#include "dsp/chunk.h"
#include "dsp/exp2.h"
#include "player/player_file.h"

/* Level of the first loud frame, relative to the loudest. */
#define ONSET 0.1f
/* Frames kept before it. */
#define ONSET_MARGIN 8
/* Delay of a resampled response, frames. */
#define RESAMPLING_MARGIN 32
/* Fade-out time of a truncated response, seconds. */
#define FADE_TIME 0.01
/* Pieces of a response, for the energy under the envelope. */
#define ENVELOPE_PIECES 1024

static bl_impulse_response *create(uint32_t channels, uint32_t frames, uint32_t sample_rate) {
    bl_impulse_response *response = malloc(sizeof *response);
    float *samples = malloc((size_t)channels * frames * sizeof(float));
    if (response == NULL || samples == NULL) {
        free(response);
        free(samples);
        return NULL;
    }
    *response = (bl_impulse_response){channels, frames, sample_rate, samples};
    return response;
}

void bl_impulse_response_destroy(bl_impulse_response *response) {
    if (response != NULL) {
        free(response->samples);
        free(response);
    }
}

/* Converts interleaved to planar samples. */
static void spread(const float *from, float *to, uint32_t channels, uint32_t frames) {
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[(size_t)channel * frames + frame] = from[(size_t)frame * channels + channel];
        }
    }
}

bl_impulse_response *bl_impulse_response_read(const char *path, char *message,
                                              size_t message_size) {
    bl_sound_file *file = bl_sound_file_open(path, message, message_size);
    if (file == NULL) {
        return NULL;
    }
    bl_impulse_response *response = NULL;
    uint32_t channels = file->channel_count;
    if (channels != 1 && channels != 2 && channels != 4) {
        snprintf(message, message_size, "%s has %u channels; a response has 1, 2 or 4", path,
                 channels);
    } else if (file->frame_count > (uint64_t)BL_RESPONSE_LONGEST * file->sample_rate) {
        snprintf(message, message_size, "%s lasts %.0f seconds; a response lasts %d at most", path,
                 (double)file->frame_count / file->sample_rate, BL_RESPONSE_LONGEST);
    } else {
        uint32_t frames = (uint32_t)file->frame_count;
        float *interleaved = malloc((size_t)channels * frames * sizeof(float));
        response = create(channels, frames, file->sample_rate);
        if (interleaved != NULL && response != NULL) {
            bl_sound_file_seek(file, 0);
            bl_sound_file_read(file, interleaved, frames);
            spread(interleaved, response->samples, channels, frames);
        } else {
            snprintf(message, message_size, "no memory for %s", path);
            bl_impulse_response_destroy(response);
            response = NULL;
        }
        free(interleaved);
    }
    bl_sound_file_close(file);
    return response;
}

/* Resamples one channel; false on failure. */
static bool resample(const float *from, uint32_t frames, float *to, uint32_t to_frames,
                     double ratio) {
    int error = 0;
    SRC_STATE *resampler = src_new(SRC_SINC_BEST_QUALITY, 1, &error);
    if (resampler == NULL) {
        return false;
    }
    SRC_DATA work = {.data_in = from,
                     .input_frames = (long)frames,
                     .data_out = to,
                     .output_frames = (long)to_frames,
                     .end_of_input = 1,
                     .src_ratio = ratio};
    error = src_process(resampler, &work);
    src_delete(resampler);
    for (uint32_t frame = 0; frame < to_frames; frame += 1) {
        to[frame] *= (float)(1 / ratio); /* more frames, each with less energy */
    }
    return error == 0;
}

bl_impulse_response *bl_impulse_response_resampled(const bl_impulse_response *response,
                                                   uint32_t sample_rate, double stretch) {
    double ratio = stretch * sample_rate / response->sample_rate;
    bool same = ratio == 1;
    /* Interpolation spreads the first loud frame to earlier frames. */
    uint32_t silence = same ? 0 : (uint32_t)(RESAMPLING_MARGIN / ratio + 0.5);
    uint32_t frames = silence + response->frames;
    bl_impulse_response *resampled =
        create(response->channels, (uint32_t)ceil(frames * ratio), sample_rate);
    float *padded = calloc(frames, sizeof(float));
    bool done = resampled != NULL && padded != NULL;
    for (uint32_t channel = 0; done && channel < response->channels; channel += 1) {
        float *to = resampled->samples + (size_t)channel * resampled->frames;
        memcpy(padded + silence, response->samples + (size_t)channel * response->frames,
               response->frames * sizeof(float));
        memset(to, 0, resampled->frames * sizeof(float));
        if (same) {
            memcpy(to, padded, frames * sizeof(float));
        } else {
            done = resample(padded, frames, to, resampled->frames, ratio);
        }
    }
    free(padded);
    if (!done) {
        bl_impulse_response_destroy(resampled);
        return NULL;
    }
    return resampled;
}

/* Finds the paths for these channel counts, and the share of each of the file's channels in
   each. */
static uint32_t find_paths(uint32_t inputs, uint32_t outputs, uint32_t channels,
                           bl_partition_path paths[BL_PARTITION_PATHS],
                           float shares[BL_PARTITION_PATHS][4]) {
    if (inputs == 2 && channels == 4) {
        for (uint32_t path = 0; path < 4; path += 1) {
            paths[path] = (bl_partition_path){path / 2, path % 2};
            shares[path][path] = 1;
        }
        return 4;
    }
    for (uint32_t path = 0; path < outputs; path += 1) {
        paths[path] = (bl_partition_path){inputs == 2 ? path : 0, path};
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            bool heard = outputs == 1 || channels == 1 || channel % 2 == path;
            /* A mono output has the mean of both ears. */
            shares[path][channel] = !heard ? 0 : outputs == 1 && channels > 1 ? 0.5f : 1;
        }
    }
    return outputs;
}

/* The first loud frame of a response. */
static uint32_t onset(const bl_impulse_response *response) {
    float peak = 0;
    size_t count = (size_t)response->channels * response->frames;
    for (size_t index = 0; index < count; index += 1) {
        peak = fmaxf(peak, fabsf(response->samples[index]));
    }
    for (uint32_t frame = 0; frame < response->frames; frame += 1) {
        for (uint32_t channel = 0; channel < response->channels; channel += 1) {
            float sample = response->samples[(size_t)channel * response->frames + frame];
            if (fabsf(sample) > ONSET * peak) {
                return frame > ONSET_MARGIN ? frame - ONSET_MARGIN : 0;
            }
        }
    }
    return 0;
}

/* Mixes the file's channels into paths, and sums their energy. */
static bool fill(bl_convolution *convolution, const bl_impulse_response *response, uint32_t first,
                 float shares[BL_PARTITION_PATHS][4]) {
    uint32_t frames = convolution->frames;
    size_t paths = convolution->path_count;
    convolution->samples = calloc(paths * frames, sizeof(float));
    convolution->energies = calloc(frames / BL_ENERGY_STEP + 2, sizeof(double));
    if (convolution->samples == NULL || convolution->energies == NULL) {
        return false;
    }
    for (uint32_t path = 0; path < paths; path += 1) {
        float *to = convolution->samples + (size_t)path * frames;
        for (uint32_t channel = 0; channel < response->channels; channel += 1) {
            const float *from = response->samples + (size_t)channel * response->frames + first;
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                to[frame] += shares[path][channel] * from[frame];
            }
        }
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            convolution->energies[frame / BL_ENERGY_STEP + 1] +=
                (double)to[frame] * (double)to[frame];
        }
    }
    for (uint32_t step = 1; step < frames / BL_ENERGY_STEP + 2; step += 1) {
        convolution->energies[step] += convolution->energies[step - 1];
    }
    return true;
}

static void measure_peaks(bl_convolution *convolution) {
    for (uint32_t path = 0; path < convolution->path_count; path += 1) {
        const float *samples = convolution->samples + (size_t)path * convolution->frames;
        for (uint32_t frame = 0; frame < convolution->frames; frame += 1) {
            size_t column = (size_t)frame * BL_RESPONSE_COLUMNS / convolution->frames;
            float *peak = &convolution->peaks[column];
            *peak = fmaxf(*peak, fabsf(samples[frame]));
        }
    }
}

bl_convolution *bl_convolution_create(const bl_impulse_response *response, double sample_rate,
                                      double stretch, uint32_t input_count, uint32_t output_count,
                                      bool align) {
    bl_impulse_response *resampled =
        bl_impulse_response_resampled(response, (uint32_t)(sample_rate + 0.5), stretch);
    bl_convolution *convolution = calloc(1, sizeof *convolution);
    bool ready = resampled != NULL && convolution != NULL;
    if (ready) {
        bl_partition_path paths[BL_PARTITION_PATHS];
        float shares[BL_PARTITION_PATHS][4] = {{0}};
        uint32_t first = align ? onset(resampled) : 0;
        convolution->frames =
            bl_fewer(resampled->frames - first, (uint32_t)(BL_RESPONSE_LONGEST * sample_rate));
        convolution->output_count = output_count;
        convolution->sample_rate = sample_rate;
        convolution->path_count =
            find_paths(input_count, output_count, resampled->channels, paths, shares);
        ready = fill(convolution, resampled, first, shares);
        convolution->loudness =
            ready ? (float)bl_response_loudness(convolution->samples, convolution->path_count,
                                                convolution->frames, sample_rate)
                  : 1;
        if (ready) {
            measure_peaks(convolution);
        }
        for (uint32_t engine = 0; ready && engine < 2; engine += 1) {
            ready =
                bl_partition_create(&convolution->engines[engine].partition, convolution->frames,
                                    input_count, output_count, paths, convolution->path_count);
        }
    }
    bl_impulse_response_destroy(resampled);
    if (!ready) {
        bl_convolution_destroy(convolution);
        return NULL;
    }
    return convolution;
}

void bl_convolution_destroy(void *object) {
    bl_convolution *convolution = object;
    if (convolution != NULL) {
        bl_partition_destroy(&convolution->engines[0].partition);
        bl_partition_destroy(&convolution->engines[1].partition);
        free(convolution->samples);
        free(convolution->energies);
        free(convolution);
    }
}

/* The energy of all paths' frames before `frame`. */
static double energy_before(const bl_convolution *convolution, uint32_t frame) BL_NONBLOCKING {
    double energy = convolution->energies[frame / BL_ENERGY_STEP];
    for (uint32_t path = 0; path < convolution->path_count; path += 1) {
        const float *samples = convolution->samples + (size_t)path * convolution->frames;
        for (uint32_t place = frame - frame % BL_ENERGY_STEP; place < frame; place += 1) {
            energy += (double)samples[place] * (double)samples[place];
        }
    }
    return energy;
}

/* The gain of the envelope at a share of the audible part. */
static float decay_gain(float decay, float share) BL_NONBLOCKING {
    return bl_exp2(decay * share * (1 / 6.0205999f));
}

/* The energy of all paths' frames from `start` to `end` under the envelope: in pieces in which it
   is almost constant. */
static double energy_of(const bl_convolution *convolution, uint32_t start, uint32_t end,
                        float decay) BL_NONBLOCKING {
    double before = energy_before(convolution, start);
    if (decay == 0) {
        return energy_before(convolution, end) - before;
    }
    uint32_t piece = BL_ENERGY_STEP * ((end - start) / BL_ENERGY_STEP / ENVELOPE_PIECES + 1);
    double energy = 0;
    for (uint32_t from = start, to; from < end; from = to) {
        to = bl_fewer(from - from % BL_ENERGY_STEP + piece, end);
        double now = energy_before(convolution, to);
        float middle = 0.5f * (float)(int32_t)(from + to - 2 * start);
        float gain = decay_gain(decay, middle / (float)(int32_t)(end - start));
        energy += (double)(gain * gain) * (now - before);
        before = now;
    }
    return energy;
}

void bl_convolution_begin(bl_convolution *convolution, uint32_t engine,
                          const bl_response_trim *trim) BL_NONBLOCKING {
    double frames = convolution->frames;
    uint32_t start = (uint32_t)(frames * (double)trim->start + 0.5);
    start = bl_fewer(start, convolution->frames - 1);
    double length = (frames - start) * (double)trim->length;
    double longest = (double)trim->longest * convolution->sample_rate;
    uint32_t count = (uint32_t)((length < longest ? length : longest) + 0.5);
    count = count > 0 ? count : 1;
    double energy = energy_of(convolution, start, start + count, trim->decay);
    float loudness = trim->level == BL_RESPONSE_LOUDNESS ? convolution->loudness : 1;
    convolution->engines[engine].trim = *trim;
    convolution->engines[engine].start = start;
    convolution->engines[engine].end = start + count;
    convolution->engines[engine].gain =
        trim->level != BL_RESPONSE_AS_IS && energy > 1e-12
            ? __builtin_sqrtf((float)(convolution->output_count / energy)) / loudness
            : 1;
    convolution->engines[engine].prepared = false;
    bl_partition_begin(&convolution->engines[engine].partition);
}

typedef struct source {
    const bl_convolution *convolution;
    uint32_t engine;
} source;

/* The bl_partition_taps of a response. */
static void taps(const void *context, uint32_t path, uint32_t first, uint32_t count,
                 float *taps) BL_NONBLOCKING {
    const source *from = context;
    const bl_convolution *convolution = from->convolution;
    uint32_t start = convolution->engines[from->engine].start;
    uint32_t end = convolution->engines[from->engine].end;
    bool reverse = convolution->engines[from->engine].trim.reverse;
    float decay = convolution->engines[from->engine].trim.decay;
    float gain = convolution->engines[from->engine].gain;
    const float *samples = convolution->samples + (size_t)path * convolution->frames;
    bool cut = reverse ? start > 0 : end < convolution->frames;
    uint32_t fade = (uint32_t)(FADE_TIME * convolution->sample_rate);
    fade = cut ? bl_fewer(fade, (end - start) / 4) : 0;
    for (uint32_t index = 0; index < count; index += 1) {
        uint32_t frame = first + index;
        if (frame >= end - start) {
            taps[index] = 0;
            continue;
        }
        uint32_t left = end - start - frame;
        float share = left < fade ? (float)(int32_t)left / (float)(int32_t)fade : 1;
        uint32_t place = reverse ? left - 1 : frame;
        if (decay < 0) {
            share *= decay_gain(decay, (float)(int32_t)place / (float)(int32_t)(end - start));
        }
        taps[index] = gain * share * samples[start + place];
    }
}

bool bl_convolution_prepare(bl_convolution *convolution, uint32_t engine,
                            int32_t grains) BL_NONBLOCKING {
    source from = {convolution, engine};
    convolution->engines[engine].prepared =
        bl_partition_prepare(&convolution->engines[engine].partition, taps, &from, grains);
    return convolution->engines[engine].prepared;
}

uint32_t bl_convolution_fill_waveform(const bl_convolution *convolution, uint32_t engine,
                                      float *values) BL_NONBLOCKING {
    uint32_t start = convolution->engines[engine].start, end = convolution->engines[engine].end;
    const bl_response_trim *trim = &convolution->engines[engine].trim;
    float gain = convolution->engines[engine].gain;
    for (uint32_t part = 0; part < BL_RESPONSE_SHOWN; part += 1) {
        uint64_t length = end - start;
        uint64_t first = start + length * part / BL_RESPONSE_SHOWN;
        uint64_t after = start + length * (part + 1) / BL_RESPONSE_SHOWN;
        uint64_t column = first * BL_RESPONSE_COLUMNS / convolution->frames;
        uint64_t last = (after > first ? after - 1 : first) * BL_RESPONSE_COLUMNS;
        float peak = 0;
        for (; column <= last / convolution->frames; column += 1) {
            peak = fmaxf(peak, convolution->peaks[column]);
        }
        float share = (float)(int32_t)part / BL_RESPONSE_SHOWN;
        uint32_t place = trim->reverse ? BL_RESPONSE_SHOWN - 1 - part : part;
        values[place] = peak * gain * (trim->decay < 0 ? decay_gain(trim->decay, share) : 1);
    }
    return BL_RESPONSE_SHOWN;
}
