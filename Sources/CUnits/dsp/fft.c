#include "dsp/fft.h"

#include <math.h>
#include <stdlib.h>

#include "dsp/chunk.h"

#define PI 3.14159265358979324

/* The groups of four points in one step of a grain. */
#define GRAIN 16

bool bl_fft_create(bl_fft *fft, uint32_t size) {
    uint32_t half = size / 2;
    *fft = (bl_fft){.size = size, .half = half};
    for (uint32_t left = half; left > 1; left = left >= 4 ? left / 4 : left / 2) {
        fft->passes += 1;
    }
    uint32_t quarter = half / 4;
    fft->tables = malloc((6 * (size_t)quarter + half) * sizeof(float));
    if (fft->tables == NULL) {
        return false;
    }
    float *table = fft->tables;
    for (uint32_t power = 0; power < 3; power += 1) {
        fft->cosine[power] = table;
        fft->sine[power] = table + quarter;
        for (uint32_t index = 0; index < quarter; index += 1) {
            double angle = -2 * PI * (power + 1) * index / half;
            table[index] = (float)cos(angle);
            table[quarter + index] = (float)sin(angle);
        }
        table += 2 * (size_t)quarter;
    }
    fft->real_cosine = table;
    fft->real_sine = table + half / 2;
    for (uint32_t index = 0; index < half / 2; index += 1) {
        double angle = -2 * PI * index / size;
        table[index] = (float)cos(angle);
        table[half / 2 + index] = (float)sin(angle);
    }
    return true;
}

void bl_fft_destroy(bl_fft *fft) {
    free(fft->tables);
    fft->tables = NULL;
}

static uint32_t step_grains(const bl_fft *fft) BL_NONBLOCKING {
    return (fft->half / 4 + GRAIN - 1) / GRAIN;
}

uint32_t bl_fft_grains(const bl_fft *fft) BL_NONBLOCKING {
    return (fft->passes + 2) * step_grains(fft);
}

typedef struct points {
    float *BL_RESTRICT re;
    float *BL_RESTRICT im;
} points;

typedef struct twiddle {
    float re[3], im[3];
} twiddle;

/* One butterfly: four points a quarter of the length apart, to four `stride` apart. */
BL_INLINE void butterfly(points from, uint32_t quarter, points to, uint32_t stride,
                         const twiddle *w) BL_NONBLOCKING {
    float ar = from.re[0], ai = from.im[0];
    float br = from.re[quarter], bi = from.im[quarter];
    float cr = from.re[2 * quarter], ci = from.im[2 * quarter];
    float dr = from.re[3 * quarter], di = from.im[3 * quarter];
    float sum_r = ar + cr, sum_i = ai + ci, difference_r = ar - cr, difference_i = ai - ci;
    float other_r = br + dr, other_i = bi + di, turned_r = bi - di, turned_i = dr - br;
    float r1 = difference_r + turned_r, i1 = difference_i + turned_i;
    float r2 = sum_r - other_r, i2 = sum_i - other_i;
    float r3 = difference_r - turned_r, i3 = difference_i - turned_i;
    to.re[0] = sum_r + other_r;
    to.im[0] = sum_i + other_i;
    to.re[stride] = r1 * w->re[0] - i1 * w->im[0];
    to.im[stride] = r1 * w->im[0] + i1 * w->re[0];
    to.re[2 * stride] = r2 * w->re[1] - i2 * w->im[1];
    to.im[2 * stride] = r2 * w->im[1] + i2 * w->re[1];
    to.re[3 * stride] = r3 * w->re[2] - i3 * w->im[2];
    to.im[3 * stride] = r3 * w->im[2] + i3 * w->re[2];
}

BL_INLINE twiddle twiddle_at(const bl_fft *fft, uint32_t index) BL_NONBLOCKING {
    twiddle w;
    for (uint32_t power = 0; power < 3; power += 1) {
        w.re[power] = fft->cosine[power][index];
        w.im[power] = fft->sine[power][index];
    }
    return w;
}

/* Computes `count` butterflies with one twiddle factor. */
BL_INLINE void row(const bl_fft *fft, points from, points to, uint32_t stride, uint32_t p,
                   uint32_t q, uint32_t count) BL_NONBLOCKING {
    twiddle w = twiddle_at(fft, p * stride);
    uint32_t quarter = fft->half / 4;
    BL_INDEPENDENT_FRAMES
    for (uint32_t index = q; index < q + count; index += 1) {
        uint32_t out = index + 4 * stride * p;
        butterfly((points){from.re + index + stride * p, from.im + index + stride * p}, quarter,
                  (points){to.re + out, to.im + out}, stride, &w);
    }
}

/* The butterflies from `first` up to `end` of one pass. */
BL_INLINE void pass(const bl_fft *fft, points from, points to, uint32_t stride, uint32_t first,
                    uint32_t end) BL_NONBLOCKING {
    uint32_t half = fft->half;
    if (2 * stride == half) {
        BL_INDEPENDENT_FRAMES
        for (uint32_t index = 2 * first; index < 2 * end; index += 1) {
            float ar = from.re[index], ai = from.im[index];
            float br = from.re[index + stride], bi = from.im[index + stride];
            to.re[index] = ar + br;
            to.im[index] = ai + bi;
            to.re[index + stride] = ar - br;
            to.im[index + stride] = ai - bi;
        }
    } else if (stride == 1) {
        BL_INDEPENDENT_FRAMES
        for (uint32_t p = first; p < end; p += 1) {
            twiddle w = twiddle_at(fft, p);
            butterfly((points){from.re + p, from.im + p}, half / 4,
                      (points){to.re + 4 * p, to.im + 4 * p}, 1, &w);
        }
    } else if (stride == 4) {
        for (uint32_t p = first / 4; p < end / 4; p += 1) {
            row(fft, from, to, 4, p, 0, 4);
        }
    } else {
        for (uint32_t index = first; index < end; index += GRAIN) {
            row(fft, from, to, stride, index / stride, index % stride, GRAIN);
        }
    }
}

/* Converts the spectrum of even samples + i odd samples to that of the samples. */
BL_INLINE void part(const bl_fft *fft, points z, float *BL_RESTRICT re, float *BL_RESTRICT im,
                    uint32_t first, uint32_t end) BL_NONBLOCKING {
    uint32_t half = fft->half;
    if (first == 0) {
        float even = z.re[0], odd = z.im[0];
        re[0] = even + odd;
        im[0] = even - odd;
        re[half / 2] = z.re[half / 2];
        im[half / 2] = -z.im[half / 2];
        first = 1;
    }
    BL_INDEPENDENT_FRAMES
    for (uint32_t k = first; k < end; k += 1) {
        float a = z.re[k], b = z.im[k], c = z.re[half - k], d = z.im[half - k];
        float even_r = 0.5f * (a + c), even_i = 0.5f * (b - d);
        float odd_r = 0.5f * (b + d), odd_i = 0.5f * (c - a);
        float wr = fft->real_cosine[k], wi = fft->real_sine[k];
        float turned_r = wr * odd_r - wi * odd_i;
        float turned_i = wr * odd_i + wi * odd_r;
        re[k] = even_r + turned_r;
        im[k] = even_i + turned_i;
        re[half - k] = even_r - turned_r;
        im[half - k] = turned_i - even_i;
    }
}

/* Converts back, with twice the amplitude. */
BL_INLINE void join(const bl_fft *fft, const float *BL_RESTRICT re, const float *BL_RESTRICT im,
                    points z, uint32_t first, uint32_t end) BL_NONBLOCKING {
    uint32_t half = fft->half;
    if (first == 0) {
        z.re[0] = re[0] + im[0];
        z.im[0] = re[0] - im[0];
        z.re[half / 2] = 2 * re[half / 2];
        z.im[half / 2] = -2 * im[half / 2];
        first = 1;
    }
    BL_INDEPENDENT_FRAMES
    for (uint32_t k = first; k < end; k += 1) {
        float sum_r = re[k] + re[half - k], sum_i = im[k] - im[half - k];
        float difference_r = re[k] - re[half - k], difference_i = im[k] + im[half - k];
        float wr = fft->real_cosine[k], wi = fft->real_sine[k];
        float turned_r = wr * difference_r + wi * difference_i;
        float turned_i = wr * difference_i - wi * difference_r;
        z.re[k] = sum_r - turned_i;
        z.im[k] = sum_i + turned_r;
        z.re[half - k] = sum_r + turned_i;
        z.im[half - k] = turned_r - sum_i;
    }
}

/* Advances a job; returns the butterflies to compute in [*first, *end), and deducts their
   grains. */
BL_INLINE uint32_t next_slice(const bl_fft *fft, bl_fft_job *job, int32_t *grains, uint32_t *first,
                              uint32_t *end) BL_NONBLOCKING {
    uint32_t step = job->step;
    uint32_t all = step_grains(fft);
    uint32_t count = bl_fewer(all - job->place, (uint32_t)*grains);
    *first = bl_fewer(job->place * GRAIN, fft->half / 4);
    *end = bl_fewer((job->place + count) * GRAIN, fft->half / 4);
    *grains -= (int32_t)count;
    job->place += count;
    if (job->place == all) {
        job->place = 0;
        job->step += 1;
    }
    return step;
}

/* One of two halves of the working memory, between which passes alternate. */
BL_INLINE points buffer(const bl_fft *fft, float *work, uint32_t index,
                        bool swapped) BL_NONBLOCKING {
    float *re = work + (size_t)(index % 2) * 2 * (fft->half + BL_FFT_GAP);
    float *im = re + fft->half + BL_FFT_GAP;
    return swapped ? (points){im, re} : (points){re, im};
}

BL_VECTOR_CLONES int32_t bl_fft_forward(const bl_fft *fft, bl_fft_job *job,
                                        const float *const halves[2], float *real, float *imaginary,
                                        float *work, int32_t grains) BL_NONBLOCKING {
    while (grains > 0) {
        uint32_t first, end;
        uint32_t step = next_slice(fft, job, &grains, &first, &end);
        if (step == 0) {
            points to = buffer(fft, work, 0, false);
            uint32_t middle = fft->half / 2;
            for (uint32_t side = 0; side < 2; side += 1) {
                const float *BL_RESTRICT from = halves[side];
                uint32_t low = side == 0 ? 4 * first : 4 * first > middle ? 4 * first : middle;
                uint32_t high = side == 0 ? bl_fewer(4 * end, middle) : 4 * end;
                BL_INDEPENDENT_FRAMES
                for (uint32_t k = low; k < high; k += 1) {
                    to.re[k] = from[2 * (k - side * middle)];
                    to.im[k] = from[2 * (k - side * middle) + 1];
                }
            }
        } else if (step <= fft->passes) {
            pass(fft, buffer(fft, work, step - 1, false), buffer(fft, work, step, false),
                 1u << (2 * (step - 1)), first, end);
        } else {
            part(fft, buffer(fft, work, fft->passes, false), real, imaginary, 2 * first, 2 * end);
            if (job->step > step) {
                *job = (bl_fft_job){0};
                return grains;
            }
        }
    }
    return -1;
}

BL_VECTOR_CLONES int32_t bl_fft_inverse(const bl_fft *fft, bl_fft_job *job, const float *real,
                                        const float *imaginary, float *const halves[2], float *work,
                                        int32_t grains) BL_NONBLOCKING {
    while (grains > 0) {
        uint32_t first, end;
        uint32_t step = next_slice(fft, job, &grains, &first, &end);
        if (step == 0) {
            join(fft, real, imaginary, buffer(fft, work, 0, false), 2 * first, 2 * end);
        } else if (step <= fft->passes) {
            /* With real and imaginary part exchanged, forward is backward. */
            pass(fft, buffer(fft, work, step - 1, true), buffer(fft, work, step, true),
                 1u << (2 * (step - 1)), first, end);
        } else {
            points from = buffer(fft, work, fft->passes, false);
            uint32_t middle = fft->half / 2;
            for (uint32_t side = 0; side < 2; side += 1) {
                float *BL_RESTRICT to = halves[side];
                uint32_t low = side == 0 ? 4 * first : 4 * first > middle ? 4 * first : middle;
                uint32_t high = side == 0 ? bl_fewer(4 * end, middle) : 4 * end;
                for (uint32_t k = low; to != NULL && k < high; k += 1) {
                    to[2 * (k - side * middle)] = from.re[k];
                    to[2 * (k - side * middle) + 1] = from.im[k];
                }
            }
            if (job->step > step) {
                *job = (bl_fft_job){0};
                return grains;
            }
        }
    }
    return -1;
}
