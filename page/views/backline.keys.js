// Faces with the keys of a piano: what the octaver and the pitch shifter add to a key, where the transposer
// sends each, and which notes the arpeggiator plays.

import {
  ACCENT, EDGE, MIDI, TEXT, bar, choice, code, handle, line, linear, now, plot, show, text, value, write,
} from './backline.draw.js';
import { keys } from './backline.piano.js';

const PLAYED = 60; // C4
/** Faders over the keys that voices play when C4 is played. */
function voicesFace(voices) {
  const faders = plot(linear(-24.5, 24.5), linear(-60, 12, 12, (db) => `${db} dB`));
  const all = voices.map((voice) => ({ ...voice, at: () => [voice.semitones(), value(voice.y)] }));
  for (const voice of all) handle(faders, voice);
  return (width, height) => {
    const low = height * 0.72, lit = new Map();
    faders.show(0, 0, width, low);
    for (const { at, isHidden, y } of all) {
      const [semitones, level] = at();
      if (level < -60 || isHidden?.()) continue;
      const colour = y === 'dry' ? TEXT : ACCENT;
      lit.set(PLAYED + Math.round(semitones), colour);
      bar(faders.x(semitones) - 3, faders.y(level), 6, low - faders.y(level), colour);
    }
    keys(low + 4, width, height - low - 4, PLAYED - 24, PLAYED + 24, (note) => lit.get(note));
  };
}

const FACES = {
  octv: () => voicesFace([
    ['down_two', -24, 'Two octaves down', '−2'], ['down', -12, 'Octave down', '−1'], ['dry', 0, 'Dry'], ['up', 12, 'Octave up', '+1'],
  ].map(([y, semitones, label, mark]) => ({ y, label, mark, semitones: () => semitones }))),

  // In a scale the semitones count its steps; where that leads depends on the key.
  ptch: () => voicesFace([{ y: 'dry', semitones: () => 0 }, ...[1, 2, 3, 4].map((voice) => {
    const of = (name) => `voice_${voice}.${name}`;
    return {
      label: `Voice ${voice}`, mark: voice, x: of('semitones'), y: of('level'), extra: of('cents'), isHidden: () => voice > now.voices,
      semitones: () => value(of('semitones')) + value(of('cents')) / 100 + now.pedal / 100 * now.bend,
    };
  })]),

  // To the nearest note of the scale (dsp/scale.h: a bit a semitone from the root on); of two as near, the lower.
  trns() {
    const has = (note) => [0xfff, 0xab5, 0x5ad, 0x9ad, 0x295, 0x4a9][now.scale] >> (note - now.root + 144) % 12 & 1;
    const sent = (key) => {
      const note = key + Math.round(now.semitones);
      return [0, -1, 1, -2, 2, -3, 3, -4, 4].map((step) => note + step).find(has);
    };
    const low = PLAYED - 24, high = PLAYED + 35, octave = Array.from({ length: 12 }, (_, semitone) => PLAYED + semitone);
    const area = plot(linear(low - 0.5 - PLAYED, high + 0.5 - PLAYED), linear(0, 1));
    handle(area, { x: 'semitones', at: () => [now.semitones, 0.5] });
    return (width, height) => {
      const tall = Math.min(height * 0.3, 90), notes = octave.map(sent);
      area.show(0, 0, width, height);
      const x = keys(0, width, tall, low, high, (note) => (octave.includes(note) ? ACCENT : undefined));
      keys(height - tall, width, tall, low, high, (note) => (notes.includes(note) ? MIDI : undefined));
      octave.forEach((key, index) => line([[x(key), tall + 2], [x(notes[index]), height - tall - 2]], EDGE, { width: 1 }));
      write('played', 8, tall + 16);
      write('sent', 8, height - tall - 6, { colour: MIDI });
      write(`${text('semitones')} · ${text('root')} ${text('scale')}`, width - 8, tall + 16, { align: 'right' });
    };
  },

  // Which of C, E and G each step plays (arpeggiator_pattern.c), for how long, and how late.
  arpg() {
    const steps = 16, area = plot(linear(0, steps, 4, (step) => step + 1), linear(48, 108, 12, (note) => `C${note / 12 - 1}`));
    const start = (step) => step + step % 2 * now.swing / 200;
    const length = (step) => (start(step + 1) - start(step)) * now.gate / 100;
    const notes = (step) => {
      const octaves = Math.floor(now.octaves), count = 3 * octaves, at = step % count, turn = step % (2 * count - 2);
      const raised = (place) => [60, 64, 67][place % 3] + 12 * Math.floor(place / 3);
      switch (choice('mode')) {
        case 'Chord': return [0, 1, 2].map((key) => raised(key + step % octaves * 3));
        case 'Random': return Array.from({ length: count }, (_, place) => raised(place));
        case 'Down': return [raised(count - 1 - at)];
        case 'Up and Down': return [raised(turn < count ? turn : 2 * count - 2 - turn)];
        default: return [raised(at)];
      }
    };
    handle(area, { mark: 'G', x: 'gate', at: () => [length(0), 60] });
    handle(area, { mark: 'S', x: 'swing', at: () => [start(1), 52] });
    return (width, height) => {
      area.show(0, 0, width, height);
      const tall = Math.max(height / 33, 3), colour = choice('mode') === 'Random' ? '#cc79a755' : MIDI;
      for (let step = 0; step < steps; step += 1) {
        for (const note of notes(step)) bar(area.x(start(step)), area.y(note) - tall / 2, length(step) * width / steps, tall, colour);
      }
      write(`C, E and G held · a step: ${text('rate')}`, width - 8, 16, { align: 'right' });
    };
  },
};

show(FACES[code]());
