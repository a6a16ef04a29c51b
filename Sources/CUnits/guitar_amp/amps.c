/* The guitar amp's circuits, from the input to the phase splitter, after published schematics of
   the amplifiers. Two of them are split before a coupling: the first part has the load of the
   second up to its grid, including the grid's Miller capacitance (J. M. Miller, 1920), and lacks
   only its grid's current. */
#include "guitar_amp/amps.h"

#include "circuit/circuit_list.h"

/* Half of a 12AX7: the grid current's saturation and emission, the capacitance to the plate. */
#define TUBE(grid, plate, cathode)                                                                 \
    TRIODE(grid, plate, cathode, 1e-9, 4), CAPACITOR(grid, plate, 1.7e-12)

/* An input stage. */
#define INPUT_STAGE(plate, volts, stopper, cathode, bypass)                                        \
    SUPPLY(3, volts), RESISTOR(IN, 4, stopper), RESISTOR(4, G, 1e6), STAGE(4, plate, 5, cathode),  \
        CAPACITOR(5, G, bypass)

/* A stage between its grid and its plate. */
#define STAGE(grid, plate, node, cathode)                                                          \
    TUBE(grid, plate, node), RESISTOR(plate, 3, 100e3), RESISTOR(node, G, cathode)

/* A tone stack: treble, bass and middle. */
#define TONE_STACK(source, out, slope, treble, bass, middle, bass_ohms, middle_ohms)               \
    CAPACITOR(source, 20, treble), RESISTOR(source, 21, slope), CAPACITOR(21, 22, bass),           \
        CAPACITOR(21, 23, middle), POT(BL_KNOB_TREBLE, BL_TAPER_REVERSE, 20, out, 22, 250e3),      \
        RHEOSTAT(BL_KNOB_BASS, BL_TAPER_AUDIO, 22, 23, bass_ohms),                                 \
        RHEOSTAT(BL_KNOB_MIDDLE, BL_TAPER_LINEAR, 23, G, middle_ohms)

/* A cathode follower behind the plate at node 12, and the tone stack of the British amps. */
#define FOLLOWER_AND_STACK                                                                         \
    TUBE(12, 3, 13), RESISTOR(13, G, 100e3),                                                       \
        TONE_STACK(13, OUT, 33e3, 500e-12, 22e-9, 22e-9, 1e6, 25e3), RESISTOR(OUT, G, 1e6)

/* Fender Deluxe 5E3; its tone control is the treble. */
static const bl_part tweed[] = {
    INPUT_STAGE(6, 250, 34e3, 1.5e3, 22e-6),
    CAPACITOR(6, 7, 100e-9),
    POT(BL_KNOB_GAIN, BL_TAPER_AUDIO, G, 8, 7, 1e6),
    CAPACITOR(8, 9, 4.7e-9),
    RHEOSTAT(BL_KNOB_TREBLE, BL_TAPER_AUDIO, 9, G, 1e6),
    STAGE(8, 11, 10, 1.5e3),
    CAPACITOR(10, G, 22e-6),
    CAPACITOR(11, OUT, 22e-9),
    RESISTOR(OUT, G, 220e3),
    END,
};

/* Fender Deluxe Reverb AB763, without its reverb. */
static const bl_part blackface[] = {
    INPUT_STAGE(6, 270, 34e3, 1.5e3, 25e-6),
    TONE_STACK(6, 7, 100e3, 250e-12, 100e-9, 47e-9, 250e3, 10e3),
    POT(BL_KNOB_GAIN, BL_TAPER_AUDIO, G, 8, 7, 1e6),
    CAPACITOR(7, 8, 47e-12),
    STAGE(8, 11, 10, 1.5e3),
    CAPACITOR(10, G, 25e-6),
    CAPACITOR(11, OUT, 20e-9),
    RESISTOR(OUT, G, 220e3),
    END,
};

/* Marshall 1959, its bright channel: from the first plate to the second grid. */
#define PLEXI_VOLUME(plate)                                                                        \
    CAPACITOR(plate, 7, 22e-9), POT(BL_KNOB_GAIN, BL_TAPER_AUDIO, G, 8, 7, 1e6),                   \
        CAPACITOR(7, 8, 500e-12), RESISTOR(8, 9, 470e3), CAPACITOR(8, 9, 470e-12),                 \
        RESISTOR(9, G, 470e3)
static const bl_part plexi_input[] = {
    INPUT_STAGE(OUT, 300, 34e3, 2.7e3, 680e-9),
    PLEXI_VOLUME(OUT),
    CAPACITOR(9, G, 100e-12),
    END,
};
static const bl_part plexi_driver[] = {
    SUPPLY(3, 300),           PLEXI_VOLUME(IN),   STAGE(9, 12, 11, 820),
    CAPACITOR(11, G, 680e-9), FOLLOWER_AND_STACK, END,
};

/* Marshall 2203. The second plate is a source with a resistance, about that of its resistor, as the
   cathode's is large. */
static const bl_part lead_input[] = {
    INPUT_STAGE(6, 300, 68e3, 2.7e3, 680e-9),
    CAPACITOR(6, 7, 22e-9),
    RESISTOR(7, 8, 470e3),
    CAPACITOR(7, 8, 470e-12),
    POT(BL_KNOB_GAIN, BL_TAPER_AUDIO, G, 10, 8, 1e6),
    CAPACITOR(8, 10, 1e-9),
    STAGE(10, OUT, 11, 10e3),
    END,
};
static const bl_part lead_driver[] = {
    RESISTOR(IN, 15, 89e3),    CAPACITOR(15, 14, 22e-9), RESISTOR(14, 9, 470e3),
    CAPACITOR(14, 9, 470e-12), RESISTOR(9, G, 470e3),    SUPPLY(3, 300),
    STAGE(9, 12, 11, 820),     FOLLOWER_AND_STACK,       END,
};

/* The plans, with gains that make half gain about as loud as the input, for a guitar. */
const bl_circuit_plan bl_amps[BL_AMP_COUNT] = {
    [BL_AMP_TWEED] = {{tweed}, 0.0074f},
    [BL_AMP_BLACKFACE] = {{blackface}, 0.0169f},
    [BL_AMP_PLEXI] = {{plexi_input, plexi_driver}, 0.0036f},
    [BL_AMP_LEAD] = {{lead_input, lead_driver}, -0.0025f},
};
