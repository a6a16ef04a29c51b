/* The common parts of the graphic equalisers, all but their tables: one bell per band, matched
 * (dsp/match.h), with gains corrected for their interaction, so that the response meets the faders.
 *
 * At each band's centre the decibels of all bells add up. Newton's method brings their sum to the
 * fader's setting, with the matrix of interactions at a boost of 12 dB as its derivative, as Juho
 * Liski and Vesa Välimäki ("The quest for the best graphic equalizer", 2017) iterate. The bells
 * have no cramping, so the matrix is the same at every sample rate.
 *
 * The including file defines GRAPHIC_EQ_BANDS, GRAPHIC_EQ_LOWEST (Hz, the first centre),
 * GRAPHIC_EQ_OCTAVES (between centres), GRAPHIC_EQ_Q (of the bells), and then the tables
 * `parameters` (bands, then the output) and `presets`.
 */
#include <math.h>
#include <string.h>

#include "base/built_in.h"
#include "base/grid_effect.h"
#include "dsp/match.h"

enum {
    OUTPUT = GRAPHIC_EQ_BANDS,
    PARAMETER_COUNT,
    /* Frames between two computations of the coefficients while a fader moves. */
    GRID = 32,
    ROUNDS = 3
};

/* The gain at which the matrix of interactions is computed, dB. */
#define GRAPHIC_EQ_REFERENCE 12.0
/* The limit of the bells' gains, for any setting of the faders, dB. */
#define GRAPHIC_EQ_LIMIT 36.0

#define GRAPHIC_EQ_BAND(INDEX, ID, NAME)                                                           \
    [INDEX] = BL_KNOB(ID, NAME, DECIBELS, LINEAR, -12, 12, 0, (INDEX) + 1)
#define GRAPHIC_EQ_OUTPUT_ROW                                                                      \
    [OUTPUT] = BL_KNOB("output", "Output", DECIBELS, LINEAR, -24, 24, 0, GRAPHIC_EQ_BANDS + 1)

typedef struct graphic_eq {
    bl_grid_unit grid;
    /* The inverse of the interactions: from the faders' decibels to the bells'. */
    double inverse[GRAPHIC_EQ_BANDS][GRAPHIC_EQ_BANDS];
    float faders[GRAPHIC_EQ_BANDS]; /* faders that `to` was computed for, dB */
    bl_section from[GRAPHIC_EQ_BANDS], to[GRAPHIC_EQ_BANDS];
    bool tuned, moving;
    bool flat; /* all faders are at 0: everything passes unchanged */
    bl_section_state states[BL_CHANNEL_PAIRS][GRAPHIC_EQ_BANDS];
} graphic_eq;

static void reset(bl_unit *unit) BL_NONBLOCKING {
    graphic_eq *eq = (graphic_eq *)unit;
    eq->grid.passed = 0;
    eq->tuned = eq->flat = false;
    memset(eq->states, 0, sizeof eq->states);
}

static double centre(uint32_t band) BL_NONBLOCKING {
    return GRAPHIC_EQ_LOWEST * exp2(band * GRAPHIC_EQ_OCTAVES);
}

/* The x for which a bell of gain g has the power (x + g) / (x + 1/g) `distance` bands away. */
static double bell_distance(uint32_t distance) BL_NONBLOCKING {
    double ratio = exp2(distance * GRAPHIC_EQ_OCTAVES);
    double slope = GRAPHIC_EQ_Q * (ratio - 1 / ratio);
    return slope * slope;
}

/* Inverts the interactions by Gauss-Jordan elimination; the diagonal is the largest. */
static void invert_interactions(graphic_eq *eq) {
    double rows[GRAPHIC_EQ_BANDS][2 * GRAPHIC_EQ_BANDS];
    double gain = pow(10, GRAPHIC_EQ_REFERENCE / 20);
    for (uint32_t row = 0; row < GRAPHIC_EQ_BANDS; row += 1) {
        for (uint32_t column = 0; column < GRAPHIC_EQ_BANDS; column += 1) {
            double x = bell_distance(row > column ? row - column : column - row);
            rows[row][column] = 10 * log10((x + gain) / (x + 1 / gain)) / GRAPHIC_EQ_REFERENCE;
            rows[row][GRAPHIC_EQ_BANDS + column] = row == column;
        }
    }
    for (uint32_t pivot = 0; pivot < GRAPHIC_EQ_BANDS; pivot += 1) {
        for (uint32_t row = 0; row < GRAPHIC_EQ_BANDS; row += 1) {
            double factor = rows[row][pivot] / rows[pivot][pivot];
            for (uint32_t column = 0; column < 2 * GRAPHIC_EQ_BANDS && row != pivot; column += 1) {
                rows[row][column] -= factor * rows[pivot][column];
            }
        }
    }
    for (uint32_t row = 0; row < GRAPHIC_EQ_BANDS; row += 1) {
        for (uint32_t column = 0; column < GRAPHIC_EQ_BANDS; column += 1) {
            eq->inverse[row][column] = rows[row][GRAPHIC_EQ_BANDS + column] / rows[row][row];
        }
    }
}

static bl_status prepare(bl_unit *unit) {
    invert_interactions((graphic_eq *)unit);
    return BL_OK;
}

/* Corrects the bells' decibels by `missing` decibels at the centres. */
BL_INLINE void correct(const graphic_eq *eq, const double *missing, double *bells) BL_NONBLOCKING {
    for (uint32_t band = 0; band < GRAPHIC_EQ_BANDS; band += 1) {
        double sum = bells[band];
        for (uint32_t other = 0; other < GRAPHIC_EQ_BANDS; other += 1) {
            sum += eq->inverse[band][other] * missing[other];
        }
        bells[band] = fmax(fmin(sum, GRAPHIC_EQ_LIMIT), -GRAPHIC_EQ_LIMIT);
    }
}

/* Finds the bells' gain factors for the faders' decibels. */
BL_INLINE void solve(const graphic_eq *eq, const float *faders, double *gains) BL_NONBLOCKING {
    double distances[GRAPHIC_EQ_BANDS], missing[GRAPHIC_EQ_BANDS];
    double bells[GRAPHIC_EQ_BANDS] = {0};
    for (uint32_t band = 0; band < GRAPHIC_EQ_BANDS; band += 1) {
        distances[band] = bell_distance(band);
        missing[band] = (double)faders[band];
    }
    correct(eq, missing, bells);
    for (int round = 0; round < ROUNDS; round += 1) {
        for (uint32_t band = 0; band < GRAPHIC_EQ_BANDS; band += 1) {
            gains[band] = pow(10, bells[band] / 20);
        }
        for (uint32_t band = 0; band < GRAPHIC_EQ_BANDS; band += 1) {
            double above = 1, below = 1;
            for (uint32_t other = 0; other < GRAPHIC_EQ_BANDS; other += 1) {
                double x = distances[band > other ? band - other : other - band];
                above *= x * gains[other] + gains[other] * gains[other];
                below *= x * gains[other] + 1;
            }
            missing[band] = (double)faders[band] - 10 * log10(above / below);
        }
        correct(eq, missing, bells);
    }
    for (uint32_t band = 0; band < GRAPHIC_EQ_BANDS; band += 1) {
        gains[band] = pow(10, bells[band] / 20);
    }
}

/* Computes the coefficients for the grid's next line. */
BL_INLINE void aim(bl_grid_unit *unit) BL_NONBLOCKING {
    graphic_eq *eq = (graphic_eq *)unit;
    const bl_unit_base *base = &unit->base;
    float faders[GRAPHIC_EQ_BANDS];
    bool ramps = false, flat = true;
    for (uint32_t band = 0; band < GRAPHIC_EQ_BANDS; band += 1) {
        faders[band] = bl_ramp_value(&base->parameters[band], GRID);
        ramps = ramps || bl_ramp_is_moving(&base->parameters[band]);
        flat = flat && faders[band] == 0;
    }
    memcpy(eq->from, eq->to, sizeof eq->from);
    eq->moving = !eq->tuned || memcmp(faders, eq->faders, sizeof faders) != 0;
    if (eq->moving) {
        double gains[GRAPHIC_EQ_BANDS];
        solve(eq, faders, gains);
        for (uint32_t band = 0; band < GRAPHIC_EQ_BANDS; band += 1) {
            bl_prototype bell = bl_prototype_bell(GRAPHIC_EQ_Q, gains[band]);
            eq->to[band] = bl_match(&bell, centre(band) / base->sample_rate);
        }
        memcpy(eq->faders, faders, sizeof faders);
    }
    if (!eq->tuned) {
        memcpy(eq->from, eq->to, sizeof eq->from);
        eq->tuned = true;
        eq->moving = false;
    }
    if (eq->flat && eq->moving) {
        /* The bells' states from their last use are out of date. */
        memset(eq->states, 0, sizeof eq->states);
    }
    eq->flat = flat && !eq->moving;
    unit->base.stale = ramps || eq->moving;
}

BL_INLINE void run(bl_grid_unit *unit, uint32_t pair, bl_double2 *samples,
                   uint32_t frames) BL_NONBLOCKING {
    graphic_eq *eq = (graphic_eq *)unit;
    bl_section_state *states = eq->states[pair];
    uint32_t band = eq->flat ? GRAPHIC_EQ_BANDS : 0;
    for (; band + 1 < GRAPHIC_EQ_BANDS && !eq->moving; band += 2) {
        bl_section_run_two(&states[band], &eq->to[band], samples, frames);
    }
    for (; band < GRAPHIC_EQ_BANDS && !eq->moving; band += 1) {
        bl_section_run(&states[band], &eq->to[band], samples, frames);
    }
    for (; band < GRAPHIC_EQ_BANDS; band += 1) {
        bl_section_run_moving(&states[band], &eq->from[band], &eq->to[band], unit->passed, GRID,
                              samples, frames);
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    bl_grid_process(unit, GRID, &((bl_unit_base *)unit)->parameters[OUTPUT], aim, run, io,
                    first_frame, frames);
}

BL_KIT(graphic_eq, .process = process, .prepare = prepare, .reset = reset)

/* The tail of the lowest bell, the slowest. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const graphic_eq *eq = (const graphic_eq *)unit;
    float faders[GRAPHIC_EQ_BANDS];
    double gains[GRAPHIC_EQ_BANDS];
    for (uint32_t band = 0; band < GRAPHIC_EQ_BANDS; band += 1) {
        faders[band] = eq->grid.base.parameters[band].target;
    }
    solve(eq, faders, gains);
    double tail = 0;
    for (uint32_t band = 0; band < GRAPHIC_EQ_BANDS; band += 1) {
        bl_prototype bell = bl_prototype_bell(GRAPHIC_EQ_Q, gains[band]);
        double damping = bl_prototype_damping(&bell) * 2 * 3.14159265358979324 * centre(band);
        tail = fmax(tail, gains[band] == 1 ? 0 : log(1000) / damping);
    }
    return tail;
}

/* The other descriptor members. */
#define GRAPHIC_EQ_DESCRIPTOR                                                                      \
    BL_TAGS("Tone", "Voice", "Mastering"), BL_FACTORY_PRESETS, .tail_time = tail_time
