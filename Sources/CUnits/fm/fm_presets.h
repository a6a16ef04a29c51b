/* The FM synth's presets: electric pianos, basses, bells, brass, organs, mallets, pads and plucks.
   A table for fm.c only. */
#define OF(index, parameter, value)                                                                \
    { BL_FM_OPERATOR(index - 1) + BL_FM_##parameter, value }
#define PATCH(level, algorithm, feedback)                                                          \
    {BL_FM_LEVEL, level}, {BL_FM_ALGORITHM, algorithm}, { BL_FM_FEEDBACK, feedback }
#define OP(index, ratio, level, attack, decay, sustain, release)                                   \
    OF(index, RATIO, ratio), OF(index, OPERATOR_LEVEL, level),                                     \
        OF(index, ENVELOPE + BL_LANES_ATTACK, attack),                                             \
        OF(index, ENVELOPE + BL_LANES_DECAY, decay),                                               \
        OF(index, ENVELOPE + BL_LANES_SUSTAIN, sustain),                                           \
        OF(index, ENVELOPE + BL_LANES_RELEASE, release)
#define FINE(index, cents) OF(index, FINE, cents)
/* The effect of velocity, and of each octave up, dB. */
#define TOUCH(index, velocity, key) OF(index, VELOCITY, velocity), OF(index, KEY, key)
#define FIXED(index, hertz) OF(index, FIXED, 1), OF(index, FREQUENCY, hertz)
#define SET(parameter, value)                                                                      \
    { BL_FM_##parameter, value }

static const bl_factory_preset presets[] = {
    /* Electric pianos */
    BL_PRESET("Tine Piano", PATCH(-20, 5, 0), SET(KEY_TIMES, 50), OP(1, 1, 45, 0.001f, 7, 0, 0.3f),
              OP(2, 14, 7, 0.001f, 0.7f, 0, 0.2f), TOUCH(2, 90, -3),
              OP(3, 1, 60, 0.001f, 6, 0, 0.3f), OP(4, 1, 15, 0.001f, 4, 10, 0.3f), TOUCH(4, 85, -3),
              OP(5, 1, 30, 0.001f, 5, 0, 0.3f), FINE(5, 3), OP(6, 2, 10, 0.001f, 2, 0, 0.3f),
              TOUCH(6, 85, -3)),
    BL_PRESET("Reed Piano", PATCH(-20, 5, 0), SET(KEY_TIMES, 50), SET(LFO_RATE, 5.4f),
              SET(LFO_LEVEL, 22), OP(1, 1, 80, 0.001f, 5, 0, 0.15f),
              OP(2, 2, 16, 0.001f, 3.5f, 20, 0.15f), TOUCH(2, 80, -4),
              OP(3, 1, 45, 0.001f, 4, 0, 0.15f), OP(4, 1, 22, 0.001f, 1.5f, 10, 0.15f),
              TOUCH(4, 85, -4), OP(5, 1, 18, 0.001f, 0.25f, 0, 0.1f),
              OP(6, 6, 9, 0.001f, 0.12f, 0, 0.1f), TOUCH(6, 90, -4)),
    BL_PRESET("Bell Piano", PATCH(-16.5f, 5, 0), SET(KEY_TIMES, 40),
              OP(1, 1, 65, 0.001f, 7, 0, 0.6f), OP(2, 1, 11, 0.001f, 3, 20, 0.5f), TOUCH(2, 70, -2),
              OP(3, 1, 35, 0.001f, 8, 0, 0.8f), FINE(3, 5), OP(4, 3.5f, 11, 0.001f, 3, 0, 0.8f),
              TOUCH(4, 80, -3), OP(5, 2, 20, 0.001f, 6, 0, 0.8f), FINE(5, -5),
              OP(6, 14, 7, 0.001f, 1, 0, 0.5f), TOUCH(6, 85, -3)),
    BL_PRESET(
        "Stage Grand", PATCH(-19.5f, 5, 0), SET(KEY_TIMES, 60), OP(1, 1, 70, 0.001f, 8, 0, 0.25f),
        OP(2, 1, 26, 0.001f, 3, 25, 0.25f), TOUCH(2, 80, -4), OP(3, 1, 40, 0.001f, 6, 0, 0.25f),
        FINE(3, 2), OP(4, 3, 16, 0.001f, 1.5f, 10, 0.25f), TOUCH(4, 80, -4),
        OP(5, 2, 25, 0.001f, 2, 0, 0.2f), OP(6, 7, 14, 0.001f, 0.15f, 0, 0.1f), TOUCH(6, 90, -4)),
    /* Basses */
    BL_PRESET("Solid Bass", PATCH(-16, 16, 25), OP(1, 1, 100, 0.001f, 4, 40, 0.12f),
              OP(2, 1, 20, 0.001f, 0.6f, 30, 0.1f), TOUCH(2, 80, -3),
              OP(3, 1, 16, 0.001f, 0.25f, 10, 0.1f), OP(4, 4, 16, 0.001f, 0.06f, 0, 0.05f),
              OP(5, 2, 14, 0.001f, 0.35f, 20, 0.1f), TOUCH(5, 80, -3),
              OP(6, 1, 20, 0.001f, 0.3f, 20, 0.1f)),
    BL_PRESET("Slap Bass", PATCH(-17.5f, 7, 10), OP(1, 1, 90, 0.001f, 4, 15, 0.08f),
              OP(2, 1, 38, 0.001f, 0.8, 12, 0.08f), TOUCH(2, 90, -3),
              OP(3, 2, 55, 0.001f, 0.9, 0, 0.06f), OP(4, 1, 50, 0.001f, 0.35, 0, 0.06f),
              TOUCH(4, 95, -3), OP(5, 9, 30, 0.001f, 0.1, 0, 0.05f), TOUCH(5, 95, -3),
              OP(6, 13, 20, 0.001f, 0.05, 0, 0.03f)),
    BL_PRESET("Round Bass", PATCH(-15.5f, 5, 0), OP(1, 1, 80, 0.004f, 2, 70, 0.12f),
              OP(2, 1, 12, 0.004f, 0.8f, 40, 0.12f), TOUCH(2, 70, -3),
              OP(3, 0.5f, 35, 0.004f, 2, 80, 0.12f), OP(4, 0.5f, 0, 0.001f, 1, 0, 0.1f),
              OP(5, 2, 18, 0.002f, 0.4f, 0, 0.1f), OP(6, 1, 14, 0.002f, 0.3f, 0, 0.1f)),
    BL_PRESET("Growl Bass", PATCH(-17.5f, 1, 18), OP(1, 1, 60, 0.003f, 1, 90, 0.1f),
              OP(2, 0.5f, 18, 0.003f, 1, 60, 0.1f), TOUCH(2, 70, -3),
              OP(3, 1, 70, 0.003f, 1, 90, 0.1f), OP(4, 1, 28, 0.12f, 0.5f, 30, 0.1f),
              TOUCH(4, 80, -4), OP(5, 2, 10, 0.05f, 0.5f, 40, 0.1f),
              OP(6, 0.5f, 25, 0.01f, 1, 80, 0.1f), SET(WHEEL_MODULATION, 60)),
    /* Bells */
    BL_PRESET("Tubular Bells", PATCH(-17.5f, 5, 0), OP(1, 1, 60, 0.001f, 9, 0, 4),
              OP(2, 3.5f, 14, 0.001f, 8, 0, 4), TOUCH(2, 60, -2), OP(3, 1, 35, 0.001f, 8, 0, 4),
              FINE(3, -4), OP(4, 3.5f, 12, 0.001f, 6, 0, 4), TOUCH(4, 60, -2),
              OP(5, 1, 20, 0.001f, 1.5f, 0, 1), FIXED(5, 323), OP(6, 2, 12, 0.001f, 0.8f, 0, 0.5f)),
    BL_PRESET("Glass Bell", PATCH(-14.5f, 5, 0), SET(KEY_TIMES, 30),
              OP(1, 1, 50, 0.001f, 6, 0, 2.5f), OP(2, 5.19f, 9, 0.001f, 2, 0, 1.5f),
              TOUCH(2, 70, -3), OP(3, 2, 35, 0.001f, 5, 0, 2.5f), FINE(3, 6),
              OP(4, 7.07f, 7, 0.001f, 1.2f, 0, 1), TOUCH(4, 80, -3),
              OP(5, 4.24f, 14, 0.001f, 3, 0, 1.5f), OP(6, 1.41f, 6, 0.001f, 3, 0, 1)),
    BL_PRESET("Glockenspiel", PATCH(-16, 5, 0), SET(KEY_TIMES, 40),
              OP(1, 2, 70, 0.001f, 4, 0, 1.2f), OP(2, 3.51f, 8, 0.001f, 1, 0, 0.4f),
              TOUCH(2, 85, -3), OP(3, 5.51f, 18, 0.001f, 1.5, 0, 0.5f),
              OP(4, 5.3f, 8, 0.001f, 0.3f, 0, 0.3f), OP(5, 2, 15, 0.001f, 5, 0, 1.2f), FINE(5, 4),
              OP(6, 1, 0, 0.001f, 1, 0, 0.3f)),
    /* Brass */
    BL_PRESET("Brass Section", PATCH(-18, 22, 10), SET(LFO_RATE, 5), SET(LFO_PITCH, 4),
              SET(LFO_FADE, 0.8f), OP(1, 1, 55, 0.03f, 1, 90, 0.12f),
              OP(2, 1, 26, 0.06f, 0.8f, 70, 0.15f), TOUCH(2, 70, -3),
              OP(3, 1, 26, 0.025f, 1, 90, 0.12f), FINE(3, 6), OP(4, 1, 22, 0.035f, 1, 90, 0.12f),
              FINE(4, -6), OP(5, 2, 12, 0.03f, 1, 80, 0.12f), FINE(5, 4),
              OP(6, 1, 34, 0.07f, 0.6f, 70, 0.15f), TOUCH(6, 75, -2), SET(PRESSURE_MODULATION, 60)),
    BL_PRESET("Trumpet", PATCH(-23, 18, 15), SET(LFO_RATE, 5.2f), SET(LFO_PITCH, 9),
              SET(LFO_FADE, 0.9f), OP(1, 1, 100, 0.02f, 1, 95, 0.1f),
              OP(2, 1, 24, 0.045f, 0.5f, 75, 0.1f), TOUCH(2, 70, -3),
              OP(3, 1, 16, 0.06f, 0.5f, 70, 0.1f), TOUCH(3, 70, -3),
              OP(4, 3, 5, 0.03f, 0.3f, 50, 0.1f), OP(5, 1, 4, 0.02f, 0.2f, 20, 0.1f),
              OP(6, 1, 0, 0.001f, 1, 0, 0.1f), SET(PRESSURE_MODULATION, 60)),
    BL_PRESET("Soft Horns", PATCH(-22, 5, 4), SET(LFO_RATE, 4.6f), SET(LFO_PITCH, 4),
              SET(LFO_FADE, 1.2f), OP(1, 1, 80, 0.06f, 1, 90, 0.2f),
              OP(2, 1, 15, 0.11f, 1, 65, 0.2f), TOUCH(2, 70, -4), OP(3, 1, 32, 0.07f, 1, 90, 0.2f),
              FINE(3, 5), OP(4, 1, 13, 0.13f, 1, 65, 0.2f), TOUCH(4, 70, -4),
              OP(5, 1, 20, 0.08f, 1, 90, 0.2f), FINE(5, -5), OP(6, 1, 11, 0.1f, 1, 60, 0.2f),
              TOUCH(6, 70, -4), SET(PRESSURE_MODULATION, 60)),
    /* Organs */
    BL_PRESET("Drawbar Organ", PATCH(-27.5f, 32, 0), OP(1, 0.5f, 60, 0.004f, 1, 100, 0.05f),
              TOUCH(1, 0, 0), OP(2, 1, 60, 0.004f, 1, 100, 0.05f), TOUCH(2, 0, 0),
              OP(3, 1.5f, 40, 0.004f, 1, 100, 0.05f), TOUCH(3, 0, 0),
              OP(4, 2, 36, 0.004f, 1, 100, 0.05f), TOUCH(4, 0, 0),
              OP(5, 4, 22, 0.004f, 1, 100, 0.05f), TOUCH(5, 0, 0),
              OP(6, 3, 28, 0.001f, 0.3f, 0, 0.05f), TOUCH(6, 0, 0)),
    BL_PRESET("Rock Organ", PATCH(-26, 29, 8), SET(LFO_RATE, 6.4f), SET(LFO_PITCH, 6),
              SET(LFO_LEVEL, 10), OP(1, 0.5f, 50, 0.003f, 1, 100, 0.05f), TOUCH(1, 0, 0),
              OP(2, 1.5f, 40, 0.003f, 1, 100, 0.05f), TOUCH(2, 0, 0),
              OP(3, 1, 60, 0.003f, 1, 100, 0.05f), TOUCH(3, 0, 0),
              OP(4, 1, 16, 0.003f, 1, 100, 0.05f), TOUCH(4, 0, -2),
              OP(5, 2, 40, 0.003f, 1, 100, 0.05f), TOUCH(5, 0, 0),
              OP(6, 2, 14, 0.003f, 1, 100, 0.05f), TOUCH(6, 0, -2)),
    BL_PRESET("Pipe Organ", PATCH(-26, 5, 0), OP(1, 1, 55, 0.05f, 1, 100, 0.25f), TOUCH(1, 0, 0),
              OP(2, 2, 8, 0.03f, 0.4f, 60, 0.2f), TOUCH(2, 0, -3),
              OP(3, 2, 35, 0.04f, 1, 100, 0.25f), TOUCH(3, 0, 0), FINE(3, 2),
              OP(4, 2, 8, 0.03f, 0.3f, 60, 0.2f), TOUCH(4, 0, -3),
              OP(5, 0.5f, 45, 0.07f, 1, 100, 0.3f), TOUCH(5, 0, 0), FINE(5, -2),
              OP(6, 8, 6, 0.02f, 0.15f, 40, 0.2f), TOUCH(6, 0, -4)),
    /* Mallets */
    BL_PRESET("Marimba", PATCH(-16, 5, 0), SET(KEY_TIMES, 70), OP(1, 1, 90, 0.001f, 2.2, 0, 0.5f),
              OP(2, 3, 11, 0.001f, 0.35, 0, 0.15f), TOUCH(2, 85, -2),
              OP(3, 1, 26, 0.001f, 0.15, 0, 0.1f), OP(4, 9.2f, 18, 0.001f, 0.05f, 0, 0.05f),
              TOUCH(4, 90, -3), OP(5, 1, 0, 0.001f, 1, 0, 0.1f), OP(6, 1, 0, 0.001f, 1, 0, 0.1f)),
    BL_PRESET(
        "Vibraphone", PATCH(-16.5f, 5, 0), SET(KEY_TIMES, 40), SET(LFO_RATE, 5), SET(LFO_LEVEL, 45),
        OP(1, 1, 80, 0.001f, 9, 0, 0.8f), OP(2, 3, 6, 0.001f, 1.2f, 0, 0.5f), TOUCH(2, 85, -3),
        OP(3, 4, 16, 0.001f, 3, 0, 0.5f), OP(4, 6, 7, 0.001f, 0.2f, 0, 0.2f), TOUCH(4, 90, -3),
        OP(5, 1, 15, 0.001f, 8, 0, 0.8f), FINE(5, 3), OP(6, 1, 0, 0.001f, 1, 0, 0.3f)),
    /* Pads */
    BL_PRESET("Warm Pad", PATCH(-21.5f, 5, 5), SET(LFO_RATE, 4.2f), SET(LFO_PITCH, 3),
              OP(1, 1, 65, 0.7f, 2, 90, 1.6f), FINE(1, -6), OP(2, 1, 15, 1.2f, 3, 60, 1.5f),
              TOUCH(2, 40, -3), OP(3, 1, 30, 0.8f, 2, 90, 1.6f), FINE(3, 6),
              OP(4, 1, 14, 1.5f, 3, 60, 1.5f), TOUCH(4, 40, -3), OP(5, 0.5f, 40, 0.9f, 2, 90, 1.8f),
              OP(6, 1, 12, 1, 3, 60, 1.5f), TOUCH(6, 40, -3)),
    BL_PRESET("Glass Pad", PATCH(-19.5f, 5, 0), OP(1, 1, 50, 0.5f, 3, 80, 2.5f), FINE(1, -4),
              OP(2, 3, 7, 0.9f, 4, 50, 2), TOUCH(2, 40, -3), OP(3, 2, 35, 0.9f, 3, 80, 2.5f),
              FINE(3, 5), OP(4, 5, 6, 1.5f, 4, 50, 2), TOUCH(4, 40, -3),
              OP(5, 1, 22, 0.4f, 3, 70, 2.5f), FINE(5, 4), OP(6, 7, 7, 0.02f, 2, 10, 1),
              TOUCH(6, 60, -3)),
    BL_PRESET("Strings", PATCH(-18.5f, 22, 12), SET(LFO_RATE, 5), SET(LFO_PITCH, 5),
              SET(LFO_FADE, 0.6f), OP(1, 1, 50, 0.2f, 1, 95, 0.5f), OP(2, 1, 26, 0.2f, 1, 90, 0.5f),
              TOUCH(2, 40, -3), OP(3, 1, 26, 0.25f, 1, 95, 0.5f), FINE(3, 8),
              OP(4, 1, 22, 0.22f, 1, 95, 0.5f), FINE(4, -8), OP(5, 2, 18, 0.25f, 1, 95, 0.5f),
              FINE(5, 5), OP(6, 1, 34, 0.2f, 1, 90, 0.5f), TOUCH(6, 40, -2)),
    /* Plucks */
    BL_PRESET("Harp", PATCH(-19, 5, 0), SET(KEY_TIMES, 60), OP(1, 1, 80, 0.001f, 5, 0, 1.2f),
              OP(2, 1, 16, 0.001f, 1.5, 10, 0.5f), TOUCH(2, 80, -3), OP(3, 1, 40, 0.001f, 4, 0, 1),
              FINE(3, 3), OP(4, 2, 13, 0.001f, 0.8, 0, 0.3f), TOUCH(4, 80, -3),
              OP(5, 3, 16, 0.001f, 1, 0, 0.3f), OP(6, 1, 10, 0.001f, 0.1f, 0, 0.1f)),
    BL_PRESET("Koto", PATCH(-20.5f, 7, 15), SET(KEY_TIMES, 50), OP(1, 1, 70, 0.001f, 4, 0, 0.6f),
              OP(2, 3, 16, 0.001f, 1.6, 10, 0.4f), TOUCH(2, 80, -3),
              OP(3, 1, 60, 0.001f, 3, 0, 0.5f), FINE(3, -3), OP(4, 2, 30, 0.001f, 0.7, 15, 0.3f),
              TOUCH(4, 85, -3), OP(5, 5, 14, 0.001f, 0.15f, 0, 0.2f), TOUCH(5, 85, -3),
              OP(6, 7, 18, 0.001f, 0.08f, 0, 0.1f)),
};
