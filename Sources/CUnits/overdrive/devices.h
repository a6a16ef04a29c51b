/* The parts of pedals that are of a named type. */
#pragma once

/* Saturation currents and emission coefficients: 1N4148, two of them in series, 1N270, 1N34A. */
#define SILICON 2.52e-9, 1.752
#define SILICON_PAIR 2.52e-9, 3.504
#define GERMANIUM 200e-9, 1.3
#define OLD_GERMANIUM 15e-6, 1.0
/* A silicon transistor that never saturates: saturation current, beta. */
#define SMALL_NPN 1e-14, 590
/* Op-amps: 4558 and TL072 without their limits; 741, LM308 and TL072 with them. */
#define OF_4558 3e6
#define OF_FAST_072 3e6
#define OF_741 1e6, 0.5e6, 3.5
#define OF_308 1e6, 0.3e6, 3.9
#define OF_072 3e6, 13e6, 3.5
