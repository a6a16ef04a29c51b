/* Steals a voice when there is no room for one more. */
#include "dsp/decibels.h"
#include "sampler/sampler.h"

/* The fade time of a stolen voice, seconds. */
#define STEAL_TIME 0.004f

/* The ranks of voices to steal, in this order. */
typedef enum rank {
    RANK_RELEASED, /* neither key nor pedal holds it */
    RANK_PEDAL,    /* only the pedal holds it */
    RANK_KEY,
    RANK_BASS,  /* the lowest held voice */
    RANK_NEWEST /* started by the present message */
} rank;

static bool is_held(const bl_sampler_voice *voice) BL_NONBLOCKING {
    return voice->key_down && voice->stage != BL_VOICE_RELEASE;
}

static uint32_t lowest_held(const bl_sampler_unit *unit) BL_NONBLOCKING {
    uint32_t lowest = BL_KEYS;
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        const bl_sampler_voice *voice = &unit->voices[slot];
        if (bl_sampler_is_sounding(voice) && is_held(voice) && voice->key < lowest) {
            lowest = voice->key;
        }
    }
    return lowest;
}

static rank rank_of(const bl_sampler_unit *unit, const bl_sampler_voice *voice,
                    uint32_t lowest) BL_NONBLOCKING {
    return voice->note == unit->event                        ? RANK_NEWEST
           : !is_held(voice)                                 ? RANK_RELEASED
           : voice->key == lowest                            ? RANK_BASS
           : unit->channels[voice->channel].keys[voice->key] ? RANK_KEY
                                                             : RANK_PEDAL;
}

/* The loudness of a voice; during the attack its final loudness. Each second of age counts as -1
   dB, so that among equals the oldest is the faintest. */
static float loudness_of(const bl_sampler_unit *unit,
                         const bl_sampler_voice *voice) BL_NONBLOCKING {
    bool rises = voice->fresh || voice->stage <= BL_VOICE_ATTACK;
    float loudness = rises && voice->gain > voice->loudness ? voice->gain : voice->loudness;
    return loudness * bl_decibels_to_gain((float)((double)-voice->age / unit->base.sample_rate));
}

void bl_sampler_make_room(bl_sampler_unit *unit) BL_NONBLOCKING {
    uint32_t most = (uint32_t)(unit->base.parameters[BL_SAMPLER_POLYPHONY].target + 0.5f);
    uint32_t sounding;
    do {
        sounding = 0;
        uint32_t lowest = lowest_held(unit);
        bl_sampler_voice *victim = NULL;
        rank lowest_rank = RANK_NEWEST;
        float least = 0;
        for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
            bl_sampler_voice *voice = &unit->voices[slot];
            if (!bl_sampler_is_sounding(voice)) {
                continue;
            }
            sounding += 1;
            rank own = rank_of(unit, voice, lowest);
            float loudness = loudness_of(unit, voice);
            bool is_fainter = loudness < least ||
                              (loudness == least && victim != NULL && voice->event < victim->event);
            if (victim == NULL || own < lowest_rank || (own == lowest_rank && is_fainter)) {
                victim = voice;
                lowest_rank = own;
                least = loudness;
            }
        }
        if (sounding >= most && victim != NULL) {
            bl_sampler_fade_voice(unit, victim, STEAL_TIME);
        }
    } while (sounding > most);
}
