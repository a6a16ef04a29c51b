/* The lengths of the reverb's delays, by type and size. */
#include <math.h>

#include "dsp/note_length.h"
#include "reverb/reverb.h"

#define LARGEST_SIZE 3.0
#define SPEED_OF_SOUND 343.0 /* m/s */
/* The share of a wave's pressure that a wall reflects. */
#define WALL 0.8
/* The longest line of every type at size 1, seconds. The sum of all lines in seconds is the modes
   per hertz: with fewer the tail sounds like single ones. */
#define LONGEST_LINE 0.131
/* The highest loss of a sound in a line, dB: with more, the first passes are a staircase, not a
   decay of the set time. */
#define MOST_LOSS 5.0

typedef struct room {
    double box[3];        /* m; all 0: no walls */
    double shortest_line; /* seconds */
    double diffuser;      /* seconds, all steps together */
    float scattered;      /* share of scattered reflections */
} room;

static const room types[BL_REVERB_TYPE_COUNT] = {
    [BL_REVERB_ROOM] = {{6.1, 4.7, 2.9}, 0.031, 0.026, 0},
    [BL_REVERB_CHAMBER] = {{8.9, 6.7, 4.1}, 0.037, 0.034, 0},
    [BL_REVERB_HALL] = {{27.1, 17.3, 11.9}, 0.041, 0.050, 1},
    [BL_REVERB_PLATE] = {{0, 0, 0}, 0.037, 0.032, 0},
};

/* The delays of the scattering all-passes at size 1, seconds. */
static const double scatters[BL_REVERB_SCATTERS] = {0.0008, 0.0012, 0.0017, 0.0021,
                                                    0.0026, 0.0031, 0.0038, 0.0046};

/* The last step spreads over 8/15 of the diffuser, which is longest in the hall. */
const double bl_reverb_longest_pre_delay = 0.5;
const double bl_reverb_longest_input = 0.5 + LARGEST_SIZE * 0.25;
const double bl_reverb_longest_scatter = LARGEST_SIZE * 0.0046;
const double bl_reverb_longest_step = LARGEST_SIZE * 0.050 * 8 / 15;
const double bl_reverb_longest_line = LARGEST_SIZE * LONGEST_LINE;

/* Keeps the earliest reflections, in order. */
static void keep(bl_reverb_reflections *kept, int ear, double seconds, double gain) {
    int place = BL_REVERB_REFLECTIONS - 1;
    if (kept->gains[ear][place] != 0 && seconds >= kept->seconds[ear][place]) {
        return;
    }
    while (place > 0 &&
           (kept->gains[ear][place - 1] == 0 || seconds < kept->seconds[ear][place - 1])) {
        kept->seconds[ear][place] = kept->seconds[ear][place - 1];
        kept->gains[ear][place] = kept->gains[ear][place - 1];
        place -= 1;
    }
    kept->seconds[ear][place] = (float)seconds;
    kept->gains[ear][place] = (float)gain;
}

/* Computes the images of the source in the walls of a box, up to the third order (Allen and
   Berkley, "Image method for efficiently simulating small-room acoustics", 1979), later than the
   direct sound by this much and, all together, as loud. Signs alternate so that the sum has no
   colour in the bass. */
static void reflect(const double box[3], bl_reverb_reflections *reflections) {
    const double source[3] = {0.31 * box[0], 0.43 * box[1], 0.41 * box[2]};
    for (int ear = 0; ear < 2; ear += 1) {
        const double listener[3] = {0.67 * box[0], (ear == 0 ? 0.60 : 0.47) * box[1],
                                    0.37 * box[2]};
        double direct = 0;
        for (int axis = 0; axis < 3; axis += 1) {
            direct += pow(source[axis] - listener[axis], 2);
        }
        direct = sqrt(direct);
        for (int image = 1; image < 7 * 7 * 7; image += 1) {
            const int cell[3] = {image % 7 - 3, image / 7 % 7 - 3, image / 49 - 3};
            int order = abs(cell[0]) + abs(cell[1]) + abs(cell[2]);
            double distance = 0;
            for (int axis = 0; axis < 3; axis += 1) {
                double place = cell[axis] % 2 == 0 ? source[axis] : box[axis] - source[axis];
                distance += pow(cell[axis] * box[axis] + place - listener[axis], 2);
            }
            distance = sqrt(distance);
            if (order > 0 && order <= 3) {
                keep(reflections, ear, (distance - direct) / SPEED_OF_SOUND,
                     pow(WALL, order) * direct / distance * (order % 2 == 0 ? -1 : 1));
            }
        }
        double energy = 0;
        for (int index = 0; index < BL_REVERB_REFLECTIONS; index += 1) {
            energy += pow((double)reflections->gains[ear][index], 2);
        }
        for (int index = 0; index < BL_REVERB_REFLECTIONS; index += 1) {
            reflections->gains[ear][index] /= (float)sqrt(energy);
        }
    }
}

void bl_reverb_reflect(bl_reverb_reflections rooms[BL_REVERB_TYPE_COUNT]) {
    for (int type = 0; type < BL_REVERB_TYPE_COUNT; type += 1) {
        rooms[type] = (bl_reverb_reflections){0};
        if (types[type].box[0] > 0) {
            reflect(types[type].box, &rooms[type]);
        }
    }
}

/* The pre-delay in seconds: as set, or by the tempo. */
static float pre_delay(const bl_reverb_unit *reverb) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    double set = (double)bl_ramp_value(&parameters[BL_REVERB_PRE_DELAY], 0) * 0.001;
    return (float)bl_synced_seconds(parameters[BL_REVERB_SYNC].target, set, reverb->base.quarter,
                                    bl_reverb_longest_pre_delay);
}

/* The size of the lines: they are shorter if the decay is short relative to them. */
static float line_size(const bl_reverb_unit *reverb) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    float size = bl_ramp_value(&parameters[BL_REVERB_SIZE], 0);
    float most =
        bl_ramp_value(&parameters[BL_REVERB_DECAY], 0) * (float)(MOST_LOSS / (60 * LONGEST_LINE));
    return size < most ? size : most;
}

bool bl_reverb_has_moved(const bl_reverb_unit *reverb,
                         const bl_reverb_geometry *geometry) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    return geometry->type != parameters[BL_REVERB_TYPE].target ||
           geometry->size != bl_ramp_value(&parameters[BL_REVERB_SIZE], 0) ||
           geometry->line_size != line_size(reverb) || geometry->pre_delay != pre_delay(reverb);
}

/* A number between 0 and 1 for each `index`, spread evenly: multiples of the golden section. */
static double spread(uint32_t index) BL_NONBLOCKING {
    double turns = (index + 1) * 0.61803398874989485;
    return turns - (uint32_t)turns;
}

static uint32_t frames_of(double seconds, double rate) BL_NONBLOCKING {
    return (uint32_t)(seconds * rate + 0.5);
}

void bl_reverb_measure(const bl_reverb_unit *reverb, bl_reverb_geometry *geometry) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    double rate = reverb->base.sample_rate;
    uint32_t type = (uint32_t)parameters[BL_REVERB_TYPE].target;
    geometry->type = parameters[BL_REVERB_TYPE].target;
    geometry->size = bl_ramp_value(&parameters[BL_REVERB_SIZE], 0);
    geometry->line_size = line_size(reverb);
    geometry->pre_delay = pre_delay(reverb);
    geometry->pre_delay_frames = frames_of((double)geometry->pre_delay, rate);
    double size = (double)geometry->size;
    for (uint32_t ear = 0; ear < 2; ear += 1) {
        for (uint32_t index = 0; index < BL_REVERB_REFLECTIONS; index += 1) {
            double seconds = size * (double)reverb->rooms[type].seconds[ear][index];
            geometry->reflections[ear][index] =
                geometry->pre_delay_frames + frames_of(seconds, rate);
            geometry->reflection_gains[ear][index] = reverb->rooms[type].gains[ear][index];
        }
    }
    geometry->scattered = types[type].scattered;
    /* All are at least as long as a rendered chunk, and different. */
    for (uint32_t index = 0; index < BL_REVERB_SCATTERS; index += 1) {
        uint32_t length = frames_of(size * scatters[index], rate),
                 least = BL_REVERB_CHUNK + 3 * index;
        geometry->scatters[index] = length > least ? length : least;
    }
    /* Each step spreads over twice the time of the last, with one delay in each sixteenth of it. */
    double span = size * types[type].diffuser / ((1 << BL_REVERB_STEPS) - 1);
    for (uint32_t step = 0; step < BL_REVERB_STEPS; step += 1, span *= 2) {
        for (uint32_t channel = 0; channel < BL_REVERB_CHANNELS; channel += 1) {
            double moved = channel + spread(step * BL_REVERB_CHANNELS + channel);
            geometry->diffuser[step][channel] = frames_of(span * moved / BL_REVERB_CHANNELS, rate);
        }
    }
    /* Evenly spaced on a logarithmic scale, each moved by up to half its distance from the next. */
    double length = (double)geometry->line_size * types[type].shortest_line;
    double factor = LONGEST_LINE / types[type].shortest_line;
    for (uint32_t root = 1; root < BL_REVERB_LINES; root *= 2) {
        factor = __builtin_sqrt(factor);
    }
    double total = 0;
    for (uint32_t line = 0; line < BL_REVERB_LINES; line += 1) {
        double moved = length * (1 + (factor - 1) * 0.5 * spread(64 + line));
        geometry->lines[line] = frames_of(moved, rate);
        geometry->lines[line] += geometry->lines[line] == 0;
        total += geometry->lines[line];
        length *= factor;
    }
    geometry->shortest_line = geometry->lines[0];
    /* Each line repeats its input once a pass, quieter by g: 1 / (1 - g²) times its energy in
       total. The wet sound is as loud as the input if 60 dB take 1.8 seconds. */
    float pass = (float)(total / BL_REVERB_LINES / rate);
    geometry->gain = __builtin_sqrtf(BL_REVERB_LINES * (1 - bl_exp2(pass * (-19.9316f / 1.8f))));
}
