#!/usr/bin/env python3
"""Synthesises the electric piano that the sampler plays.

    make-electric-piano.py FOLDER     (needs sox or flac)

Writes electric-piano.sfz and its samples: six keys, struck softly and hard, each with its attack
and a loop of whole periods; the instrument file lets them die away. 48 kHz, 16 bits, mono. The same
samples come out at every run.
"""

import array
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import wave

RATE = 48_000  # Hz
ATTACK = RATE * 4 // 10  # frames before the loop
KEYS = [29, 41, 53, 65, 77, 89]
LAYERS = {
    # Levels of the harmonics, of the tine's bell and of the hammer.
    "soft": ([1, 0.18, 0.05, 0.012], 0.04, 0.01),
    "hard": ([1, 0.6, 0.36, 0.2, 0.12, 0.07, 0.04, 0.02], 0.16, 0.05),
}
PEAK = 10 ** (-3 / 20)

SFZ_HEAD = """// An electric piano, made by make-electric-piano.py.
<global> amp_veltrack=75 loop_mode=loop_continuous loop_start={attack} ampeg_sustain=0
ampeg_release=0.4 xf_velcurve=gain
"""
SFZ_GROUPS = {
    "soft": "<group> xfout_lovel=30 xfout_hivel=115\n",
    "hard": "<group> xfin_lovel=30 xfin_hivel=115\n",
}


def loop_of(frequency):
    """Whole periods in whole frames, as nearly as up to a tenth of a second has them."""
    best = None
    for periods in range(1, int(0.1 * frequency) + 1):
        frames = round(periods * RATE / frequency)
        error = abs(periods * RATE / frames / frequency - 1)
        if best is None or error < best[0]:
            best = (error, periods, frames)
    return best[1], best[2]


def strike(key, harmonics, bell, hammer):
    """The samples, and by how many cents they are to be raised."""
    wanted = 440 * 2 ** ((key - 69) / 12)
    periods, loop = loop_of(wanted)
    frequency = periods * RATE / loop
    noise = random.Random(key)
    low = 0.0
    samples = []
    for n in range(ATTACK + loop):
        t = n / RATE
        left = max(0.0, 1 - n / ATTACK) ** 2  # 0 in the loop, so that it has no seam
        value = 0.0
        for number, level in enumerate(harmonics, 1):
            partial = number * frequency
            if partial > 14_000:
                break
            bright = 1 + (1.5 * left * math.exp(-t / 0.12) if number > 1 else 0)
            value += level * bright * math.sin(2 * math.pi * partial * t) / (1 + (partial / 3500) ** 2)
        for ratio, time in ((7.11, 0.12), (18.6, 0.04)):
            if ratio * frequency < 14_000:
                tine = math.sin(2 * math.pi * ratio * frequency * t)
                value += bell * left * math.exp(-t / time) * tine
        low += 0.08 * (noise.uniform(-1, 1) - low)
        value += 4 * hammer * left * math.exp(-t / 0.012) * low
        samples.append(value * min(1, n / 48))
    return samples, 1200 * math.log2(wanted / frequency)


def write_flac(path, samples):
    words = array.array("h", [round(32_767 * sample) for sample in samples])
    if sys.byteorder == "big":
        words.byteswap()
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "plain.wav")
        with wave.open(plain, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(words.tobytes())
        if shutil.which("flac"):
            subprocess.run(["flac", "-8", "-f", "-s", "-o", path, plain], check=True)
        else:
            subprocess.run(["sox", "-D", plain, "-C", "8", path], check=True)


def main(folder):
    strokes = {(layer, key): strike(key, *LAYERS[layer]) for layer in LAYERS for key in KEYS}
    loudest = max(abs(sample) for samples, _ in strokes.values() for sample in samples)
    text = SFZ_HEAD.format(attack=ATTACK)
    for layer in LAYERS:
        text += SFZ_GROUPS[layer]
        for key in KEYS:
            samples, cents = strokes[layer, key]
            name = f"electric-piano-{key}-{layer}.flac"
            write_flac(os.path.join(folder, name), [PEAK * s / loudest for s in samples])
            first = 0 if key == KEYS[0] else key - 6
            last = 127 if key == KEYS[-1] else key + 5
            text += (
                f"<region> sample={name} lokey={first} hikey={last} pitch_keycenter={key}"
                f" tune={cents:.3f} loop_end={len(samples) - 1} ampeg_decay={22 - key / 6:.1f}\n"
            )
    with open(os.path.join(folder, "electric-piano.sfz"), "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make-electric-piano.py FOLDER")
    main(sys.argv[1])
