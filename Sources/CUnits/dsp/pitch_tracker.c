#include "dsp/pitch_tracker.h"

#define PI 3.14159265358979323846

enum {
    LOWER_RATE = 8000, /* about, Hz */
    CUTOFF = 2300,     /* Hz: no alias falls onto a pitch that is searched */
};
/* The steps of the job. */
enum { CHOICE = BL_PITCH_LAGS + 1, FIRST_PART, FIT = FIRST_PART + BL_PITCH_PARTS, STEPS };

/* The Q of the sections of a sixth-order Butterworth low-pass, 1 / (2 cos(π/12 · 1, 3, 5)), in dB
   above √½. */
static const float resonances[3] = {-2.70888f, 0, 8.73001f};

/* The windows' length in the fine measurement, seconds, and the least number of periods. */
#define WINDOW_TIME 0.06
#define WINDOW_PERIODS 3
/* The least clarity and level (dB) of a tone. */
#define LEAST_CLARITY 0.8f
#define LEAST_LEVEL (-90.0f)
/* The least height of a peak relative to the highest: McLeod's k. */
#define PEAK_PART 0.97f

typedef float bl_float8 __attribute__((vector_size(32)));

void bl_pitch_tracker_reset(bl_pitch_tracker *tracker, double sample_rate) BL_NONBLOCKING {
    memset(tracker, 0, sizeof *tracker);
    tracker->divisor = (uint32_t)fmax(1, rint(sample_rate / LOWER_RATE));
    tracker->rate = sample_rate / tracker->divisor;
    tracker->step = STEPS;
    for (int section = 0; section < 3; section += 1) {
        bl_svf_tune(&tracker->low_pass[section], (float)(CUTOFF / sample_rate),
                    resonances[section]);
    }
    for (int eighth = 0; eighth < 8; eighth += 1) {
        for (int tap = -BL_PITCH_REACH; tap <= BL_PITCH_REACH; tap += 1) {
            double x = tap - (eighth - 3.5) / 8; /* from a lag to a position near the peak */
            double window = 0.5 + 0.5 * cos(PI * x / (BL_PITCH_REACH + 1));
            tracker->sinc[eighth][tap + BL_PITCH_REACH] = (float)(window * sin(PI * x) / (PI * x));
        }
    }
}

/* Returns `count` frames up to `back` frames before the end of the job's sound, oldest first;
   silence before the first. */
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
    /* Several sums, so that none depends on the last addition. */
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
    tracker->similarity[lag] = sum > 1e-20f ? 2 * sum_of((const float *)&product) / sum : 0;
    if (lag == 0) { /* a sine's squared amplitude is twice its mean square */
        tracker->level = 10 * log10f(sum / BL_PITCH_SPAN + 1e-20f);
    }
}

/* The offset from `lag` to the top of the parabola through it and its neighbours. */
static float offset_of_peak(const bl_pitch_tracker *tracker, uint32_t lag) BL_NONBLOCKING {
    const float *near = &tracker->similarity[lag];
    float bend = near[-1] - 2 * near[0] + near[1];
    return bend < 0 ? 0.5f * (near[-1] - near[1]) / bend : 0;
}

/* The height of a peak at `lag`; 0 if there is none. Between two lags the function is interpolated
   by a windowed sinc, in eighths: the peaks of high tones are narrow. */
static float height_of_peak(const bl_pitch_tracker *tracker, uint32_t lag) BL_NONBLOCKING {
    const float *near = &tracker->similarity[lag];
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

/* Finds a height as soon as the lags around it are known, so that no step costs much. */
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

/* The lag of the highest point within `reach` of `centre`. */
static uint32_t highest(const bl_pitch_tracker *tracker, double centre,
                        double reach) BL_NONBLOCKING {
    uint32_t best = (uint32_t)fmax(1, ceil(centre - reach));
    uint32_t last = (uint32_t)fmin(BL_PITCH_LAGS - 1, floor(centre + reach));
    for (uint32_t lag = best; lag <= last; lag += 1) {
        best = tracker->similarity[lag] > tracker->similarity[best] ? lag : best;
    }
    return best;
}

/* The lag of the first high peak; BL_PITCH_LAGS if there is none. */
static uint32_t first_peak(bl_pitch_tracker *tracker) BL_NONBLOCKING {
    uint32_t first = 1;
    while (first < BL_PITCH_LAGS && tracker->similarity[first] > 0) {
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

/* Frames from the earlier window to the later. */
static uint32_t window_gap(const bl_pitch_windows *windows) BL_NONBLOCKING {
    return windows->frames / 2;
}

/* Starts both windows, each as long as a whole number of periods. */
static void begin_windows(bl_pitch_tracker *tracker, double period) BL_NONBLOCKING {
    bl_pitch_windows *windows = &tracker->windows;
    double periods = fmax(WINDOW_PERIODS, rint(WINDOW_TIME * tracker->coarse));
    *windows = (bl_pitch_windows){.frames = (uint32_t)rint(periods * period), .hann = {1, 0}};
    double bend = 2 * PI / windows->frames;
    windows->hann_turn[0] = cos(bend);
    windows->hann_turn[1] = sin(bend);
    for (uint32_t partial = 0; partial < BL_PITCH_PARTIALS; partial += 1) {
        double turn = 2 * PI * (partial + 1) * tracker->coarse / tracker->rate;
        windows->turn.re[partial] = cos(turn);
        windows->turn.im[partial] = sin(turn);
        windows->turned.re[partial] = 1;
    }
}

/* Finds the period: the first high peak, refined by its multiples, further and further out. */
static void choose_period(bl_pitch_tracker *tracker) BL_NONBLOCKING {
    uint32_t lag = first_peak(tracker);
    tracker->coarse = 0;
    if (lag >= BL_PITCH_LAGS || tracker->clarity < LEAST_CLARITY || tracker->level < LEAST_LEVEL) {
        return;
    }
    double period = place_of_peak(tracker, lag);
    for (double times = 2; period > 0 && times * period < BL_PITCH_LAGS - 2; times *= 2) {
        uint32_t far = highest(tracker, times * period, 0.25 * period + 1);
        period = place_of_peak(tracker, far) / times;
    }
    /* A point that is not a peak may have any position. */
    if (!(period > 0 && period < BL_PITCH_LAGS)) {
        return;
    }
    tracker->coarse = tracker->rate / period;
    begin_windows(tracker, period);
}

/* Adds some more frames of both windows. */
static BL_VECTOR_CLONES void look(bl_pitch_windows *windows, const float *later,
                                  const float *earlier, uint32_t frames) BL_NONBLOCKING {
    bl_pitch_windows now = *windows;
    for (uint32_t back = now.done; back < now.done + frames; back += 1) {
        uint32_t place = now.frames - 1 - back;
        double weight = 1 - now.hann[0];
        double samples[2] = {(double)later[place] * weight, (double)earlier[place] * weight};
        bl_pitch_phasors turned = now.turned;
        for (uint32_t partial = 0; partial < BL_PITCH_PARTIALS; partial += 1) {
            double re = turned.re[partial], im = turned.im[partial];
            double turn_re = now.turn.re[partial], turn_im = now.turn.im[partial];
            now.sums[0].re[partial] += samples[0] * re;
            now.sums[0].im[partial] += samples[0] * im;
            now.sums[1].re[partial] += samples[1] * re;
            now.sums[1].im[partial] += samples[1] * im;
            now.turned.re[partial] = re * turn_re - im * turn_im;
            now.turned.im[partial] = re * turn_im + im * turn_re;
        }
        double re = now.hann[0], im = now.hann[1];
        now.hann[0] = re * now.hann_turn[0] - im * now.hann_turn[1];
        now.hann[1] = re * now.hann_turn[1] + im * now.hann_turn[0];
    }
    now.done += frames;
    *windows = now;
}

/* Adds a part of the windows. */
static void look_on(bl_pitch_tracker *tracker, uint32_t part) BL_NONBLOCKING {
    bl_pitch_windows *windows = &tracker->windows;
    if (tracker->coarse > 0) {
        uint32_t until = windows->frames * (part + 1) / BL_PITCH_PARTS;
        look(windows, sound(tracker, 0, windows->frames),
             sound(tracker, window_gap(windows), windows->frames), until - windows->done);
    }
}

/* The lower power of a partial in both windows; 0 above the low-pass. */
static double power_of_partial(const bl_pitch_tracker *tracker, uint32_t index) BL_NONBLOCKING {
    const bl_pitch_phasors *sums = tracker->windows.sums;
    double later = sums[0].re[index] * sums[0].re[index] + sums[0].im[index] * sums[0].im[index];
    double earlier = sums[1].re[index] * sums[1].re[index] + sums[1].im[index] * sums[1].im[index];
    return (index + 1) * tracker->coarse > CUTOFF ? 0 : fmin(later, earlier);
}

/* The frequency of a partial, Hz: the windows run back in time, so the later has the smaller phase.
   Both phasors started at 1. */
static double frequency_of_partial(const bl_pitch_tracker *tracker, uint32_t index) BL_NONBLOCKING {
    const bl_pitch_phasors *sums = tracker->windows.sums;
    double coarse = (index + 1) * tracker->coarse;
    uint32_t gap = window_gap(&tracker->windows);
    double turn = atan2(sums[1].im[index], sums[1].re[index]) -
                  atan2(sums[0].im[index], sums[0].re[index]) +
                  2 * PI * coarse * gap / tracker->rate;
    turn -= 2 * PI * rint(turn / (2 * PI));
    return coarse - turn * tracker->rate / (2 * PI * gap);
}

/* Fits (f_n / n)² = f_0² + f_0² B n²: a weighted line through the partials that stand out in both
   windows; 0 if none does. */
static double fit_partials(const bl_pitch_tracker *tracker) BL_NONBLOCKING {
    double powers[BL_PITCH_PARTIALS], strongest = 0;
    for (uint32_t index = 0; index < BL_PITCH_PARTIALS; index += 1) {
        powers[index] = power_of_partial(tracker, index);
        strongest = fmax(strongest, powers[index]);
    }
    double sums[5] = {0}; /* w, w x, w x², w y, w x y with x = n² and y = (f_n / n)² */
    for (uint32_t index = 0; index < BL_PITCH_PARTIALS; index += 1) {
        double power = powers[index];
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

/* One step of the job: a lag, the choice of the period, a part of the windows, or the fit. */
static void work(bl_pitch_tracker *tracker) BL_NONBLOCKING {
    uint32_t step = tracker->step;
    if (step < CHOICE) {
        compare(tracker, step);
        note_height(tracker, step);
    } else if (step == CHOICE) {
        choose_period(tracker);
    } else if (step < FIT) {
        look_on(tracker, step - FIRST_PART);
    } else if (step == FIT) {
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
