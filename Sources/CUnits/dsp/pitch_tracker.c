#include "dsp/pitch_tracker.h"

#define PI 3.14159265358979323846

enum {
    LOWER_RATE = 8000, /* Hz, about */
    CUTOFF = 2300,     /* Hz: nothing above folds down onto a tone that is looked for */
};
/* The Q of the sections of a sixth-order Butterworth low-pass, 1 / (2 cos(π/12 · 1, 3, 5)), in dB
   above √½. */
static const float resonances[3] = {-2.70888f, 0, 8.73001f};

/* How long the windows of the fine measurement are, seconds, and at least how many periods. */
#define WINDOW_TIME 0.06
#define WINDOW_PERIODS 3
/* Below this, sound is not taken for a tone: of its likeness, and dB. */
#define LEAST_CLARITY 0.8f
#define LEAST_LEVEL (-90.0f)
/* A peak counts from this part of the highest one on: McLeod's k. */
#define PEAK_PART 0.97f

typedef float bl_float8 __attribute__((vector_size(32)));

void bl_pitch_tracker_reset(bl_pitch_tracker *tracker, double sample_rate) BL_NONBLOCKING {
    memset(tracker, 0, sizeof *tracker);
    tracker->divisor = (uint32_t)fmax(1, rint(sample_rate / LOWER_RATE));
    tracker->rate = sample_rate / tracker->divisor;
    tracker->step = BL_PITCH_STEPS + 1;
    for (int section = 0; section < 3; section += 1) {
        bl_svf_tune(&tracker->low_pass[section], (float)(CUTOFF / sample_rate),
                    resonances[section]);
    }
    for (int eighth = 0; eighth < 8; eighth += 1) {
        for (int tap = -BL_PITCH_REACH; tap <= BL_PITCH_REACH; tap += 1) {
            double x = tap - (eighth - 3.5) / 8; /* from a lag to a place near the peak */
            double window = 0.5 + 0.5 * cos(PI * x / (BL_PITCH_REACH + 1));
            tracker->sinc[eighth][tap + BL_PITCH_REACH] = (float)(window * sin(PI * x) / (PI * x));
        }
    }
}

/* `count` frames up to `back` frames before the end of the job's sound, oldest first; silence
   before the first. */
static const float *sound(const bl_pitch_tracker *tracker, uint32_t back,
                          uint32_t count) BL_NONBLOCKING {
    return tracker->ring + ((tracker->end - back - count) & (BL_PITCH_RING - 1));
}

static float sum_of(const float *lanes) BL_NONBLOCKING {
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
           ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

/* 2 Σ x[i] x[i + lag] / Σ (x[i]² + x[i + lag]²) over the span, eight frames at a time. */
static BL_VECTOR_CLONES void compare(bl_pitch_tracker *tracker, uint32_t lag) BL_NONBLOCKING {
    const float *from = sound(tracker, 0, BL_PITCH_SPAN);
    /* Several sums, so that none waits for the last addition to end. */
    enum { SUMS = 4, AT_ONCE = 8 * SUMS };
    bl_float8 products[SUMS] = {0}, powers[SUMS] = {0};
    for (uint32_t place = 0; place + lag + 8 <= BL_PITCH_SPAN; place += AT_ONCE) {
        for (uint32_t index = 0; index < SUMS; index += 1) {
            bl_float8 a = {0}, b = {0};
            if (place + 8 * index + lag + 8 <= BL_PITCH_SPAN) {
                memcpy(&a, from + place + 8 * index, sizeof a);
                memcpy(&b, from + place + 8 * index + lag, sizeof b);
            }
            products[index] += a * b;
            powers[index] += a * a + b * b;
        }
    }
    bl_float8 product = (products[0] + products[1]) + (products[2] + products[3]);
    bl_float8 squares = (powers[0] + powers[1]) + (powers[2] + powers[3]);
    float sum = sum_of((const float *)&squares);
    tracker->likeness[lag] = sum > 1e-20f ? 2 * sum_of((const float *)&product) / sum : 0;
    if (lag == 0) { /* twice a sine's mean square is its squared amplitude */
        tracker->level = 10 * log10f(sum / BL_PITCH_SPAN + 1e-20f);
    }
}

/* How far beside `lag` the top of the parabola through it and its neighbours lies. */
static float offset_of_peak(const bl_pitch_tracker *tracker, uint32_t lag) BL_NONBLOCKING {
    const float *near = &tracker->likeness[lag];
    float bend = near[-1] - 2 * near[0] + near[1];
    return bend < 0 ? 0.5f * (near[-1] - near[1]) / bend : 0;
}

/* How high it lies, if `lag` is a peak; else 0. Between two lags the function is interpolated by a
   windowed sinc, in eighths: the peaks of high tones are narrow. */
static float height_of_peak(const bl_pitch_tracker *tracker, uint32_t lag) BL_NONBLOCKING {
    const float *near = &tracker->likeness[lag];
    float height = near[0];
    if (height < near[-1] || height < near[1]) {
        return 0;
    }
    bool inside = lag >= BL_PITCH_REACH && lag + BL_PITCH_REACH <= BL_PITCH_LAGS;
    for (uint32_t eighth = 0; inside && eighth < 8; eighth += 1) {
        float sum = 0;
        for (uint32_t tap = 0; tap <= 2 * BL_PITCH_REACH; tap += 1) {
            sum += tracker->sinc[eighth][tap] * near[(int)tap - BL_PITCH_REACH];
        }
        height = fmaxf(height, sum);
    }
    return height;
}

/* Finds the heights as soon as the lags around each are known, so that no step costs much. */
static void note_height(bl_pitch_tracker *tracker, uint32_t newest) BL_NONBLOCKING {
    if (newest > BL_PITCH_REACH) {
        uint32_t lag = newest - BL_PITCH_REACH;
        tracker->heights[lag] = height_of_peak(tracker, lag);
    }
    for (uint32_t lag = newest - BL_PITCH_REACH + 1; newest == BL_PITCH_LAGS && lag < newest;
         lag += 1) {
        tracker->heights[lag] = height_of_peak(tracker, lag);
    }
}

static double place_of_peak(const bl_pitch_tracker *tracker, uint32_t lag) BL_NONBLOCKING {
    return (double)lag + (double)offset_of_peak(tracker, lag);
}

/* The highest point within `reach` of `centre`. */
static uint32_t highest(const bl_pitch_tracker *tracker, double centre,
                        double reach) BL_NONBLOCKING {
    uint32_t best = (uint32_t)fmax(1, ceil(centre - reach));
    uint32_t last = (uint32_t)fmin(BL_PITCH_LAGS - 1, floor(centre + reach));
    for (uint32_t lag = best; lag <= last; lag += 1) {
        best = tracker->likeness[lag] > tracker->likeness[best] ? lag : best;
    }
    return best;
}

/* The lag of the first high peak; BL_PITCH_LAGS where there is none. */
static uint32_t first_peak(bl_pitch_tracker *tracker) BL_NONBLOCKING {
    uint32_t first = 1;
    while (first < BL_PITCH_LAGS && tracker->likeness[first] > 0) {
        first += 1; /* the slope of lag 0 */
    }
    float top = 0;
    for (uint32_t lag = first; lag < BL_PITCH_LAGS; lag += 1) {
        top = fmaxf(top, tracker->heights[lag]);
    }
    tracker->clarity = fminf(top, 1);
    uint32_t lag = first;
    while (lag < BL_PITCH_LAGS && tracker->heights[lag] < PEAK_PART * top) {
        lag += 1;
    }
    return lag;
}

/* The first high peak is the period; its multiples, further and further out, place it finer. */
static void choose_period(bl_pitch_tracker *tracker) BL_NONBLOCKING {
    uint32_t lag = first_peak(tracker);
    tracker->coarse = 0;
    if (lag >= BL_PITCH_LAGS || tracker->clarity < LEAST_CLARITY || tracker->level < LEAST_LEVEL) {
        return;
    }
    double period = place_of_peak(tracker, lag);
    for (double times = 2; times * period < BL_PITCH_LAGS - 2; times *= 2) {
        uint32_t far = highest(tracker, times * period, 0.25 * period + 1);
        period = place_of_peak(tracker, far) / times;
    }
    tracker->coarse = tracker->rate / period;
    double periods = fmax(WINDOW_PERIODS, rint(WINDOW_TIME * tracker->coarse));
    tracker->window = (uint32_t)rint(periods * period);
}

/* Frames from the earlier window to the later. */
static uint32_t window_gap(const bl_pitch_tracker *tracker) BL_NONBLOCKING {
    return tracker->window / 2;
}

/* The phase of a partial in the later (0) or earlier (1) window, by a rotating phasor, and the
   lower power of both windows. */
static void measure_partial(bl_pitch_tracker *tracker, uint32_t partial,
                            uint32_t earlier) BL_NONBLOCKING {
    double frequency = (partial + 1) * tracker->coarse;
    if (tracker->coarse == 0 || frequency > CUTOFF) {
        tracker->powers[partial] = 0;
        return;
    }
    uint32_t offset = earlier * window_gap(tracker);
    double turn = 2 * PI * frequency / tracker->rate;
    double step[2] = {cos(turn), sin(turn)};
    double bend = 2 * PI / tracker->window;
    double bend_step[2] = {cos(bend), sin(bend)};
    double phasor[2] = {cos(turn * offset), sin(turn * offset)}, hann[2] = {1, 0};
    double sum[2] = {0, 0};
    const float *from = sound(tracker, offset, tracker->window);
    for (uint32_t back = 0; back < tracker->window; back += 1) {
        double sample = (double)from[tracker->window - 1 - back] * (1 - hann[0]);
        sum[0] += sample * phasor[0];
        sum[1] += sample * phasor[1];
        double next = phasor[0] * step[0] - phasor[1] * step[1];
        phasor[1] = phasor[0] * step[1] + phasor[1] * step[0];
        phasor[0] = next;
        next = hann[0] * bend_step[0] - hann[1] * bend_step[1];
        hann[1] = hann[0] * bend_step[1] + hann[1] * bend_step[0];
        hann[0] = next;
    }
    double power = sum[0] * sum[0] + sum[1] * sum[1];
    tracker->phases[earlier][partial] = atan2(sum[1], sum[0]);
    tracker->powers[partial] = earlier != 0 ? fmin(power, tracker->powers[partial]) : power;
}

/* Where a partial lies, Hz: the windows run back in time, so the later one has the smaller phase.
 */
static double frequency_of_partial(const bl_pitch_tracker *tracker, uint32_t index) BL_NONBLOCKING {
    double turn = tracker->phases[1][index] - tracker->phases[0][index];
    turn -= 2 * PI * rint(turn / (2 * PI));
    return (index + 1) * tracker->coarse - turn * tracker->rate / (2 * PI * window_gap(tracker));
}

/* (f_n / n)² = f_0² + f_0² B n²: a weighted straight line through the partials that stand out in
   both windows; 0 where none does. */
static double fit_partials(const bl_pitch_tracker *tracker) BL_NONBLOCKING {
    double strongest = 0;
    for (uint32_t index = 0; index < BL_PITCH_PARTIALS; index += 1) {
        strongest = fmax(strongest, tracker->powers[index]);
    }
    double sums[5] = {0}; /* w, w x, w x², w y, w x y with x = n² and y = (f_n / n)² */
    for (uint32_t index = 0; index < BL_PITCH_PARTIALS; index += 1) {
        double power = tracker->powers[index];
        if (power == 0 || power < 1e-3 * strongest) {
            continue;
        }
        double x = (index + 1) * (index + 1);
        double frequency = frequency_of_partial(tracker, index);
        double weight = power * x, y = frequency * frequency / x;
        sums[0] += weight;
        sums[1] += weight * x;
        sums[2] += weight * x * x;
        sums[3] += weight * y;
        sums[4] += weight * x * y;
    }
    if (sums[0] == 0) {
        return 0;
    }
    double determinant = sums[0] * sums[2] - sums[1] * sums[1];
    double slope = determinant > 1e-9 * sums[0] * sums[2]
                       ? (sums[0] * sums[4] - sums[1] * sums[3]) / determinant
                       : 0;
    /* A string's partials are sharp, never flat, and B is below 0.001 on any instrument. */
    slope = fmax(0, fmin(0.001 * sums[3] / sums[0], slope));
    return sqrt((sums[3] - slope * sums[1]) / sums[0]);
}

static void finish(bl_pitch_tracker *tracker) BL_NONBLOCKING {
    double frequency = tracker->coarse > 0 ? fit_partials(tracker) : 0;
    tracker->result = (bl_pitch){(float)frequency, tracker->clarity, tracker->level};
    tracker->results += 1;
}

/* One step of the job: a lag, the choice of the period, a window, or the fit. */
static void work(bl_pitch_tracker *tracker) BL_NONBLOCKING {
    uint32_t step = tracker->step;
    if (step <= BL_PITCH_LAGS) {
        compare(tracker, step);
        note_height(tracker, step);
    } else if (step == BL_PITCH_LAGS + 1) {
        choose_period(tracker);
    } else if (step < BL_PITCH_STEPS) {
        uint32_t index = step - BL_PITCH_LAGS - 2;
        measure_partial(tracker, index / 2, index % 2);
    } else if (step == BL_PITCH_STEPS) {
        finish(tracker);
    } else {
        return;
    }
    tracker->step += 1;
}

void bl_pitch_tracker_listen(bl_pitch_tracker *tracker, const float *samples,
                             uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 value = {(double)samples[frame], 0};
        for (int section = 0; section < 3; section += 1) {
            value = bl_svf_tick(&tracker->states[section], &tracker->low_pass[section], value).low;
        }
        tracker->phase += 1;
        if (tracker->phase < tracker->divisor) {
            continue;
        }
        tracker->phase = 0;
        uint32_t place = tracker->write & (BL_PITCH_RING - 1);
        tracker->ring[place] = tracker->ring[place + BL_PITCH_RING] = (float)value[0];
        tracker->write += 1;
        tracker->since += 1;
        if (tracker->since == BL_PITCH_HOP) {
            tracker->since = 0;
            tracker->step = 0;
            tracker->end = tracker->write;
        }
        work(tracker);
        work(tracker);
    }
}
