/* The poly synth's presets: ten basses, ten leads, ten pads, ten keys and effects. A table for
   poly.c only. */
#define FIRST(shape, pitch, fine, width, level)                                                    \
    {BL_POLY_FIRST + BL_POLY_SHAPE, BL_POLY_##shape}, {BL_POLY_FIRST + BL_POLY_PITCH, pitch},      \
        {BL_POLY_FIRST + BL_POLY_FINE, fine}, {BL_POLY_FIRST + BL_POLY_WIDTH, width}, {            \
        BL_POLY_FIRST + BL_POLY_OSCILLATOR_LEVEL, level                                            \
    }
#define SECOND(shape, pitch, fine, width, level)                                                   \
    {BL_POLY_SECOND + BL_POLY_SHAPE, BL_POLY_##shape}, {BL_POLY_SECOND + BL_POLY_PITCH, pitch},    \
        {BL_POLY_SECOND + BL_POLY_FINE, fine}, {BL_POLY_SECOND + BL_POLY_WIDTH, width}, {          \
        BL_POLY_SECOND + BL_POLY_OSCILLATOR_LEVEL, level                                           \
    }
#define FILTER(mode, cutoff, resonance, envelope)                                                  \
    {BL_POLY_FILTER_MODE, BL_POLY_##mode}, {BL_POLY_CUTOFF, cutoff},                               \
        {BL_POLY_RESONANCE, resonance}, {                                                          \
        BL_POLY_ENVELOPE_CUTOFF, envelope                                                          \
    }
#define STAGES(first, attack, decay, sustain, release)                                             \
    {first + BL_LANES_ATTACK, attack}, {first + BL_LANES_DECAY, decay},                            \
        {first + BL_LANES_SUSTAIN, sustain}, {                                                     \
        first + BL_LANES_RELEASE, release                                                          \
    }
#define AMPLIFIER(...) STAGES(BL_POLY_AMPLIFIER, __VA_ARGS__)
#define CONTOUR(...) STAGES(BL_POLY_ENVELOPE, __VA_ARGS__)
#define UNISON(voices, detune, spread)                                                             \
    {BL_POLY_UNISON, voices}, {BL_POLY_DETUNE, detune}, { BL_POLY_SPREAD, spread }
#define TO(lfo, destination, depth)                                                                \
    { BL_POLY_##lfo + BL_POLY_LFO_##destination, depth }
#define RATE(lfo, hertz)                                                                           \
    { BL_POLY_##lfo + BL_POLY_LFO_RATE, hertz }
#define SET(parameter, value)                                                                      \
    { BL_POLY_##parameter, value }

static const bl_factory_preset presets[] = {
    /* Basses */
    BL_PRESET("Round Bass", SET(LEVEL, -12.5f), FIRST(SAW, 0, 0, 50, 70), SET(SUB, 60),
              FILTER(LOW_PASS_24, 220, 10, 2.5f), SET(KEY_FOLLOW, 40),
              AMPLIFIER(0.003f, 0.8f, 70, 0.12f), CONTOUR(0.003f, 0.45f, 10, 0.15f)),
    BL_PRESET("Acid Line", SET(LEVEL, -7), SET(MODE, BL_POLY_LEGATO), SET(GLIDE, 0.06f),
              FIRST(SAW, 0, 0, 50, 100), FILTER(LOW_PASS_24, 180, 82, 3.5f), SET(DRIVE, 9),
              SET(VELOCITY_CUTOFF, 2), AMPLIFIER(0.003f, 0.4f, 60, 0.06f),
              CONTOUR(0.003f, 0.22f, 0, 0.1f)),
    BL_PRESET("Rubber Bass", SET(LEVEL, -13), FIRST(PULSE, 0, 0, 35, 80), SET(SUB, 40),
              FILTER(LOW_PASS_24, 160, 45, 3.2f), AMPLIFIER(0.002f, 0.5f, 40, 0.15f),
              CONTOUR(0.012f, 0.3f, 0, 0.15f), SET(VELOCITY_CUTOFF, 1.5f)),
    BL_PRESET("Reese", SET(LEVEL, -18), SET(DRIFT, 3), SET(MODE, BL_POLY_LEGATO), SET(GLIDE, 0.08f),
              FIRST(SAW, 0, 0, 50, 80), SECOND(SAW, 0, 0, 50, 80), UNISON(4, 22, 60),
              FILTER(LOW_PASS_24, 700, 12, 0), AMPLIFIER(0.006f, 1, 100, 0.2f), RATE(LFO2, 0.15f),
              TO(LFO2, CUTOFF, 0.8f)),
    BL_PRESET("Sub", SET(LEVEL, -19), SET(MODE, BL_POLY_MONO), FIRST(SINE, 0, 0, 50, 100),
              SECOND(TRIANGLE, 0, 0, 50, 12), FILTER(NO_FILTER, 2000, 0, 0),
              AMPLIFIER(0.005f, 1, 90, 0.1f)),
    BL_PRESET("Plucked Bass", SET(LEVEL, -8.5f), FIRST(TRIANGLE, 0, 0, 50, 90),
              SECOND(SAW, 12, 3, 50, 25), FILTER(LOW_PASS_12, 300, 20, 3),
              AMPLIFIER(0.001f, 0.9f, 0, 0.12f), CONTOUR(0.001f, 0.25f, 0, 0.12f),
              SET(VELOCITY_CUTOFF, 2)),
    BL_PRESET("Talking Bass", SET(LEVEL, -6.5f), SET(MODE, BL_POLY_LEGATO),
              FIRST(SAW, 0, 0, 50, 90), SET(SUB, 30), FILTER(BAND_PASS, 500, 55, 1), SET(DRIVE, 12),
              RATE(LFO1, 3), TO(LFO1, CUTOFF, 1.2f), AMPLIFIER(0.003f, 1, 90, 0.12f)),
    BL_PRESET("FM Bass", SET(LEVEL, -12), FIRST(SINE, 0, 0, 50, 0), SECOND(SINE, 0, 0, 50, 100),
              SET(FM, 2.2f), FILTER(LOW_PASS_24, 350, 0, 4), SET(KEY_FOLLOW, 60),
              SET(VELOCITY_CUTOFF, 2), AMPLIFIER(0.001f, 1.2f, 30, 0.15f),
              CONTOUR(0.001f, 0.35f, 10, 0.15f)),
    BL_PRESET("Sync Growl", SET(LEVEL, -11), SET(MODE, BL_POLY_LEGATO), FIRST(SAW, 0, 0, 50, 30),
              SECOND(SAW, 7, 0, 50, 80), SET(HARD_SYNC, 1), SET(ENVELOPE_PITCH, 19),
              FILTER(LOW_PASS_24, 1200, 20, 1.5f), SET(DRIVE, 6), AMPLIFIER(0.003f, 1, 80, 0.12f),
              CONTOUR(0.003f, 0.6f, 20, 0.2f)),
    BL_PRESET("Octave Funk", SET(LEVEL, -3.5f), FIRST(PULSE, 0, 0, 50, 60),
              SECOND(PULSE, 12, 4, 25, 45), FILTER(LOW_PASS_24, 250, 35, 3.4f), SET(DRIVE, 8),
              SET(VELOCITY_CUTOFF, 1.5f), AMPLIFIER(0.001f, 0.35f, 20, 0.08f),
              CONTOUR(0.001f, 0.18f, 0, 0.08f)),
    /* Leads */
    BL_PRESET("Saw Lead", SET(LEVEL, -17), SET(DRIFT, 3), SET(MODE, BL_POLY_LEGATO),
              SET(GLIDE, 0.05f), FIRST(SAW, 0, -4, 50, 80), SECOND(SAW, 0, 5, 50, 80),
              FILTER(LOW_PASS_24, 3500, 15, 1), SET(KEY_FOLLOW, 30),
              AMPLIFIER(0.004f, 1, 90, 0.15f)),
    BL_PRESET("Super Saw", SET(LEVEL, -19), FIRST(SAW, 0, 0, 50, 100), UNISON(8, 28, 90),
              FILTER(LOW_PASS_12, 9000, 5, 0), AMPLIFIER(0.004f, 1, 100, 0.25f)),
    BL_PRESET("Sync Lead", SET(LEVEL, -18.5f), SET(MODE, BL_POLY_LEGATO), SET(GLIDE, 0.03f),
              FIRST(SAW, 0, 0, 50, 0), SECOND(SAW, 5, 0, 50, 100), SET(HARD_SYNC, 1),
              SET(ENVELOPE_PITCH, 24), FILTER(LOW_PASS_12, 8000, 0, 0),
              AMPLIFIER(0.003f, 1, 90, 0.15f), CONTOUR(0.003f, 1.2f, 20, 0.3f)),
    BL_PRESET("Hollow Square", SET(LEVEL, -21), SET(MODE, BL_POLY_MONO), SET(GLIDE, 0.04f),
              FIRST(PULSE, 0, 0, 50, 100), FILTER(LOW_PASS_24, 2800, 10, 0.8f), SET(KEY_FOLLOW, 50),
              AMPLIFIER(0.006f, 1, 85, 0.12f), TO(LFO1, PITCH, 8),
              {BL_POLY_LFO1 + BL_POLY_LFO_FADE, 0.7f}),
    BL_PRESET("Whistle", SET(LEVEL, -20), SET(MODE, BL_POLY_LEGATO), SET(GLIDE, 0.09f),
              FIRST(SINE, 12, 0, 50, 100), SET(NOISE, 3), FILTER(LOW_PASS_12, 4000, 0, 0),
              AMPLIFIER(0.05f, 1, 100, 0.12f), TO(LFO1, PITCH, 18),
              {BL_POLY_LFO1 + BL_POLY_LFO_FADE, 0.9f}),
    BL_PRESET("Fifth Lead", SET(LEVEL, -13), FIRST(SAW, 0, 0, 50, 70), SECOND(PULSE, 7, 0, 40, 60),
              UNISON(2, 8, 60), FILTER(LOW_PASS_24, 3200, 25, 1.2f), SET(DRIVE, 4),
              AMPLIFIER(0.004f, 0.8f, 80, 0.2f)),
    BL_PRESET("Screamer", SET(LEVEL, -8.5f), SET(MODE, BL_POLY_LEGATO), SET(GLIDE, 0.07f),
              FIRST(SAW, 0, 0, 50, 100), SECOND(SAW, 12, 6, 50, 60),
              FILTER(LOW_PASS_24, 1800, 60, 1.5f), SET(DRIVE, 18), SET(KEY_FOLLOW, 60),
              AMPLIFIER(0.003f, 1, 100, 0.15f), SET(WHEEL_CUTOFF, 1.5f)),
    BL_PRESET("Chip Lead", SET(LEVEL, -19), FIRST(PULSE, 0, 0, 25, 100),
              FILTER(NO_FILTER, 2000, 0, 0), AMPLIFIER(0.001f, 0.3f, 60, 0.05f),
              {BL_POLY_LFO1 + BL_POLY_LFO_SHAPE, 4}, RATE(LFO1, 12), TO(LFO1, WIDTH, 12)),
    BL_PRESET("Brass Lead", SET(LEVEL, -17.5f), SET(DRIFT, 3), FIRST(SAW, 0, -5, 50, 80),
              SECOND(SAW, 0, 5, 50, 80), FILTER(LOW_PASS_24, 700, 8, 2.6f),
              SET(VELOCITY_CUTOFF, 1.5f), SET(KEY_FOLLOW, 50), AMPLIFIER(0.02f, 1, 90, 0.15f),
              CONTOUR(0.08f, 0.6f, 60, 0.2f)),
    BL_PRESET("Theremin", SET(LEVEL, -17), SET(MODE, BL_POLY_LEGATO), SET(GLIDE, 0.25f),
              FIRST(TRIANGLE, 0, 0, 50, 100), FILTER(LOW_PASS_24, 2500, 0, 0),
              AMPLIFIER(0.08f, 1, 100, 0.3f), RATE(LFO1, 6), TO(LFO1, PITCH, 30),
              TO(LFO1, LEVEL, 15), {BL_POLY_LFO1 + BL_POLY_LFO_FADE, 0.4f}),
    /* Pads */
    BL_PRESET("Warm Pad", SET(LEVEL, -19.5f), SET(DRIFT, 3), FIRST(SAW, 0, -6, 50, 70),
              SECOND(SAW, 0, 6, 50, 70), UNISON(3, 12, 80), FILTER(LOW_PASS_24, 900, 5, 1),
              AMPLIFIER(0.7f, 2, 90, 1.6f), CONTOUR(1.5f, 3, 60, 2)),
    BL_PRESET("String Machine", SET(LEVEL, -24), SET(DRIFT, 3), FIRST(SAW, 0, 0, 50, 70),
              SECOND(SAW, 12, 3, 50, 50), UNISON(4, 14, 100), FILTER(LOW_PASS_12, 4500, 0, 0),
              AMPLIFIER(0.25f, 1, 100, 0.7f), SET(VELOCITY, 0), RATE(LFO2, 0.6f),
              TO(LFO2, PITCH, 5)),
    BL_PRESET("Pulse Pad", SET(LEVEL, -24), SET(DRIFT, 3), FIRST(PULSE, 0, 0, 45, 70),
              SECOND(PULSE, -12, 5, 40, 60), RATE(LFO2, 0.35f), TO(LFO2, WIDTH, 28),
              FILTER(LOW_PASS_24, 1400, 10, 0.8f), UNISON(2, 8, 90), AMPLIFIER(0.5f, 1, 100, 1.2f),
              CONTOUR(1, 2, 70, 1.5f)),
    BL_PRESET("Glass Pad", SET(LEVEL, -21), FIRST(SINE, 12, 0, 50, 40), SECOND(SINE, 0, 4, 50, 80),
              SET(FM, 1.4f), UNISON(3, 9, 100), FILTER(LOW_PASS_12, 6000, 0, 0),
              AMPLIFIER(0.9f, 2, 80, 2.5f), RATE(LFO2, 0.2f), TO(LFO2, LEVEL, 20)),
    BL_PRESET("Slow Sweep", SET(LEVEL, -20), SET(DRIFT, 3), FIRST(SAW, 0, -7, 50, 80),
              SECOND(SAW, -12, 7, 50, 70), UNISON(4, 16, 100), FILTER(LOW_PASS_24, 250, 45, 4),
              AMPLIFIER(0.8f, 1, 100, 2.5f), CONTOUR(4, 5, 30, 3)),
    BL_PRESET("Choir", SET(LEVEL, -23.5f), SET(DRIFT, 3), FIRST(PULSE, 0, -6, 30, 70),
              SECOND(SAW, 0, 6, 50, 50), SET(NOISE, 4), UNISON(4, 18, 90),
              FILTER(BAND_PASS, 750, 35, 0), SET(KEY_FOLLOW, 20), AMPLIFIER(0.35f, 1, 90, 0.9f),
              TO(LFO1, PITCH, 9), {BL_POLY_LFO1 + BL_POLY_LFO_FADE, 0.8f}),
    BL_PRESET("Dark Drone", SET(LEVEL, -18.5f), FIRST(SAW, -12, -9, 50, 90),
              SECOND(PULSE, -12, 9, 35, 70), SET(SUB, 40), UNISON(3, 20, 70), SET(DRIFT, 12),
              FILTER(LOW_PASS_24, 320, 30, 0), RATE(LFO2, 0.07f), TO(LFO2, CUTOFF, 1.2f),
              AMPLIFIER(2.5f, 1, 100, 4)),
    BL_PRESET("Air", SET(LEVEL, -15), FIRST(TRIANGLE, 12, 0, 50, 50), SECOND(SINE, 24, 5, 50, 25),
              SET(NOISE, 12), UNISON(4, 12, 100), FILTER(HIGH_PASS, 500, 10, 0),
              AMPLIFIER(1.2f, 1, 90, 2.5f)),
    BL_PRESET("Tremolo Pad", SET(LEVEL, -21.5f), FIRST(SAW, 0, -5, 50, 70),
              SECOND(PULSE, 0, 5, 45, 60), UNISON(3, 12, 90), FILTER(LOW_PASS_12, 2200, 10, 0),
              {BL_POLY_LFO1 + BL_POLY_LFO_SHAPE, 1}, {BL_POLY_LFO1 + BL_POLY_LFO_SYNC, 6},
              TO(LFO1, LEVEL, 60), AMPLIFIER(0.2f, 1, 100, 1), SET(WHEEL_VIBRATO, 0)),
    BL_PRESET("Notch Drift", SET(LEVEL, -19.5f), FIRST(SAW, 0, -8, 50, 70),
              SECOND(SAW, 7, 8, 50, 45), UNISON(4, 14, 100), FILTER(NOTCH, 1000, 0, 0),
              RATE(LFO2, 0.12f), TO(LFO2, CUTOFF, 2.2f), AMPLIFIER(1, 1, 100, 2)),
    /* Keys and effects */
    BL_PRESET("Electric Piano", SET(LEVEL, -15), FIRST(SINE, 0, 0, 50, 20),
              SECOND(SINE, 0, 2, 50, 90), SET(FM, 0.9f), FILTER(LOW_PASS_12, 1400, 0, 2),
              SET(VELOCITY_CUTOFF, 2.5f), SET(KEY_FOLLOW, 50), AMPLIFIER(0.001f, 3, 0, 0.25f),
              CONTOUR(0.001f, 0.8f, 0, 0.3f), SET(VELOCITY, 85)),
    BL_PRESET("Clavinet", SET(LEVEL, -15.5f), FIRST(PULSE, 0, 0, 18, 80),
              SECOND(PULSE, 0, 3, 30, 40), FILTER(BAND_PASS, 1500, 8, 1.2f), SET(KEY_FOLLOW, 60),
              SET(VELOCITY_CUTOFF, 1.5f), AMPLIFIER(0.001f, 2.6f, 0, 0.06f),
              CONTOUR(0.001f, 0.25f, 0, 0.06f)),
    BL_PRESET("Drawbar Organ", SET(LEVEL, -26), FIRST(SINE, 0, 0, 50, 70),
              SECOND(SINE, 12, 0, 50, 45), SET(SUB, 12), FILTER(LOW_PASS_24, 4500, 0, 0),
              AMPLIFIER(0.004f, 0.01f, 100, 0.05f), SET(VELOCITY, 0)),
    BL_PRESET("Polysynth Comp", SET(LEVEL, -14.5f), SET(DRIFT, 3), FIRST(SAW, 0, -4, 50, 70),
              SECOND(PULSE, 0, 5, 40, 60), FILTER(LOW_PASS_24, 900, 20, 2.6f),
              SET(VELOCITY_CUTOFF, 1.5f), SET(KEY_FOLLOW, 30), AMPLIFIER(0.002f, 0.7f, 40, 0.25f),
              CONTOUR(0.002f, 0.4f, 10, 0.25f)),
    BL_PRESET("Bell", SET(LEVEL, -19), FIRST(SINE, 19, 2, 50, 0), SECOND(SINE, 0, 0, 50, 100),
              SET(FM, 1.8f), FILTER(LOW_PASS_12, 5000, 0, 1.5f), AMPLIFIER(0.001f, 5, 0, 3),
              CONTOUR(0.001f, 2, 0, 2)),
    BL_PRESET("Pizzicato", SET(LEVEL, -8.5f), FIRST(SAW, 0, 0, 50, 80), SECOND(SAW, 12, 4, 50, 30),
              UNISON(2, 10, 60), FILTER(LOW_PASS_12, 600, 10, 2.4f), SET(KEY_FOLLOW, 60),
              AMPLIFIER(0.001f, 0.35f, 0, 0.2f), CONTOUR(0.001f, 0.15f, 0, 0.15f)),
    BL_PRESET("Random Steps", SET(LEVEL, -20), FIRST(SAW, 0, 0, 50, 60),
              SECOND(PULSE, 12, 6, 30, 40), FILTER(LOW_PASS_24, 900, 65, 0),
              {BL_POLY_LFO1 + BL_POLY_LFO_SHAPE, 5}, {BL_POLY_LFO1 + BL_POLY_LFO_SYNC, 3},
              TO(LFO1, CUTOFF, 2.2f), SET(WHEEL_VIBRATO, 0), AMPLIFIER(0.01f, 1, 100, 0.4f)),
    BL_PRESET("Wind", SET(LEVEL, -21), FIRST(SINE, 0, 0, 50, 0), SET(NOISE, 70),
              FILTER(BAND_PASS, 700, 85, 0), SET(KEY_FOLLOW, 100),
              {BL_POLY_LFO2 + BL_POLY_LFO_SHAPE, 1}, RATE(LFO2, 0.13f), TO(LFO2, CUTOFF, 0.8f),
              AMPLIFIER(1.5f, 1, 100, 2.5f), SET(VELOCITY, 30)),
    BL_PRESET("Laser", SET(LEVEL, -12.5f), FIRST(SAW, 0, 0, 50, 0), SECOND(SAW, 0, 0, 50, 100),
              SET(ENVELOPE_PITCH, 48), FILTER(LOW_PASS_24, 3000, 40, 2),
              AMPLIFIER(0.001f, 0.6f, 0, 0.4f), CONTOUR(0.001f, 0.5f, 0, 0.4f)),
    BL_PRESET("Siren", SET(LEVEL, -21), SET(MODE, BL_POLY_LEGATO), FIRST(PULSE, 0, 0, 40, 100),
              {BL_POLY_LFO2 + BL_POLY_LFO_SHAPE, 1}, RATE(LFO2, 0.4f), TO(LFO2, PITCH, 700),
              FILTER(LOW_PASS_24, 2500, 15, 0), AMPLIFIER(0.05f, 1, 100, 0.5f)),
};
