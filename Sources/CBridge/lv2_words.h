/* The URIs used to read descriptions, each once. */
#pragma once

#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/event/event.h>
#include <lv2/log/log.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/patch/patch.h>
#include <lv2/port-groups/port-groups.h>
#include <lv2/port-props/port-props.h>
#include <lv2/presets/presets.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/time/time.h>
#include <lv2/units/units.h>
#include <lv2/uri-map/uri-map.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

#define BL_WORDS(X)                                                                                \
    X(AUDIO_PORT, LV2_CORE__AudioPort)                                                             \
    X(CV_PORT, LV2_CORE__CVPort)                                                                   \
    X(CONTROL_PORT, LV2_CORE__ControlPort)                                                         \
    X(INPUT_PORT, LV2_CORE__InputPort)                                                             \
    X(OUTPUT_PORT, LV2_CORE__OutputPort)                                                           \
    X(ATOM_PORT, LV2_ATOM__AtomPort)                                                               \
    X(EVENT_PORT, LV2_EVENT__EventPort)                                                            \
    X(MIDI_EVENT, LV2_MIDI__MidiEvent)                                                             \
    X(POSITION, LV2_TIME__Position)                                                                \
    X(DESIGNATION, LV2_CORE__designation)                                                          \
    X(ENABLED, LV2_CORE__enabled)                                                                  \
    X(FREE_WHEELING, LV2_CORE__freeWheeling)                                                       \
    X(LATENCY, LV2_CORE__latency)                                                                  \
    X(REPORTS_LATENCY, LV2_CORE__reportsLatency)                                                   \
    X(TEMPO, LV2_TIME__beatsPerMinute)                                                             \
    X(SPEED, LV2_TIME__speed)                                                                      \
    X(TOGGLED, LV2_CORE__toggled)                                                                  \
    X(INTEGER, LV2_CORE__integer)                                                                  \
    X(ENUMERATION, LV2_CORE__enumeration)                                                          \
    X(SAMPLE_RATE, LV2_CORE__sampleRate)                                                           \
    X(CONNECTION_OPTIONAL, LV2_CORE__connectionOptional)                                           \
    X(IS_SIDE_CHAIN, LV2_CORE_PREFIX "isSideChain")                                                \
    X(LOGARITHMIC, LV2_PORT_PROPS__logarithmic)                                                    \
    X(TRIGGER, LV2_PORT_PROPS__trigger)                                                            \
    X(NOT_ON_GUI, LV2_PORT_PROPS__notOnGUI)                                                        \
    X(EXPENSIVE, LV2_PORT_PROPS__expensive)                                                        \
    X(CAUSES_ARTIFACTS, LV2_PORT_PROPS__causesArtifacts)                                           \
    X(GROUP, LV2_PORT_GROUPS__group)                                                               \
    X(MAIN_INPUT, LV2_PORT_GROUPS__mainInput)                                                      \
    X(MAIN_OUTPUT, LV2_PORT_GROUPS__mainOutput)                                                    \
    X(SIDE_CHAIN_OF, LV2_PORT_GROUPS__sideChainOf)                                                 \
    X(DEFAULT, LV2_CORE__default)                                                                  \
    X(MINIMUM, LV2_CORE__minimum)                                                                  \
    X(MAXIMUM, LV2_CORE__maximum)                                                                  \
    X(PORT_PROPERTY, LV2_CORE__portProperty)                                                       \
    X(SCALE_POINT, LV2_CORE__scalePoint)                                                           \
    X(VALUE, "http://www.w3.org/1999/02/22-rdf-syntax-ns#value")                                   \
    X(PATCH_MESSAGE, LV2_PATCH__Message)                                                           \
    X(WRITABLE, LV2_PATCH__writable)                                                               \
    X(READABLE, LV2_PATCH__readable)                                                               \
    X(RANGE, "http://www.w3.org/2000/01/rdf-schema#range")                                         \
    X(STATE, LV2_STATE__state)                                                                     \
    X(SYMBOL, LV2_CORE__symbol)                                                                    \
    X(NAME, LV2_CORE__name)                                                                        \
    X(UNIT, LV2_UNITS__unit)                                                                       \
    X(UNIT_SYMBOL, LV2_UNITS__symbol)                                                              \
    X(UNIT_RENDER, LV2_UNITS__render)                                                              \
    X(MINIMUM_SIZE, LV2_RESIZE_PORT__minimumSize)                                                  \
    X(MINOR_VERSION, LV2_CORE__minorVersion)                                                       \
    X(MICRO_VERSION, LV2_CORE__microVersion)                                                       \
    X(COMMENT, "http://www.w3.org/2000/01/rdf-schema#comment")                                     \
    X(LABEL, "http://www.w3.org/2000/01/rdf-schema#label")                                         \
    X(SHORT_DESCRIPTION, "http://usefulinc.com/ns/doap#shortdesc")                                 \
    X(LICENSE, "http://usefulinc.com/ns/doap#license")                                             \
    X(PRESET, LV2_PRESETS__Preset)                                                                 \
    X(SEE_ALSO, "http://www.w3.org/2000/01/rdf-schema#seeAlso")                                    \
    X(STATE_INTERFACE, LV2_STATE__interface)

typedef enum bl_word {
#define BL_WORD_NAME(name, uri) BL_WORD_##name,
    BL_WORDS(BL_WORD_NAME)
#undef BL_WORD_NAME
        BL_WORD_COUNT
} bl_word;
