// Faces of the units that keys start, and of the envelope follower: envelopes whose points are dragged, the
// synthesizer's filter, and the keys that sound. Each time is as wide as its knob's place; releases begin at 3.

import {
  ACCENT, DEEP, FREQUENCY, MARK, MIDI, TEXT, code, draw, follow, handle, history, line, linear, now, parameter, plot,
  show, text, toDecibels, turn, value, write,
} from './backline.draw.js';
import { soundingKeys } from './backline.piano.js';
import { decibels, ladder, stateVariable } from './backline.response.js';

const area = () => plot(linear(0, 4), linear(0, 108, 25, (percent) => `${percent} %`));
/** A stage's points: (1 - 2^-cx) / (1 - 2^-c) of its way, or a straight line. */
const stage = (curve, from, to, start, end) => Array.from({ length: 41 }, (_, index) => {
  const part = index / 40, way = Math.abs(curve) < 0.1 ? part : (1 - 2 ** (-curve * part)) / (1 - 2 ** -curve);
  return [start + (end - start) * part, from + (to - from) * way];
});

/** Draws stages on an area. */
const outline = (on, points, colour) => line(points.map(([x, y]) => [on.x(x), on.y(y)]), colour, { width: 3, base: on.y(0) });

/** Creates the handles of an envelope; returns its drawing function. `rise`, `fall`: curves of stages, in octaves. */
function envelope(on, group, { label, rise = () => 0, fall = () => 10, colour }) {
  const at = (name) => turn(group + name), sustain = () => value(`${group}sustain`), hasHold = parameter(`${group}hold`);
  const attack = () => at('attack'), held = () => attack() + (hasHold ? at('hold') : 0);
  const decay = () => held() + at('decay'), release = () => 3 + at('release');
  handle(on, { label, mark: 'A', x: `${group}attack`, at: () => [attack(), 100] });
  if (hasHold) handle(on, { label, mark: 'H', x: `${group}hold`, at: () => [held(), 85] });
  handle(on, { label, mark: 'D', x: `${group}decay`, y: `${group}sustain`, at: () => [decay(), sustain()] });
  handle(on, { label, mark: 'R', x: `${group}release`, at: () => [release(), 0] });
  return () => outline(on, [
    ...stage(rise(), 0, 100, 0, attack()), ...stage(fall(), 100, sustain(), held(), decay()), ...stage(fall(), sustain(), 0, 3, release())], colour);
}

const FACES = {
  // A straight attack; decay and release are an exponential's first 60 dB, brought down to 0 (sine_voice.c).
  sine() {
    const on = area(), drawKeys = soundingKeys(), drawEnvelope = envelope(on, 'envelope.', {});
    return (width, height) => {
      on.show(0, 0, width, height * 0.78 - 4);
      drawEnvelope();
      drawKeys(height * 0.78, width, height);
    };
  },

  // Attacks as those of a capacitor charged to half more than the peak (dsp/lanes_envelope.c).
  poly() {
    const drawKeys = soundingKeys(), rise = () => Math.log2(3), response = plot(FREQUENCY, linear(-48, 36, 12, (db) => `${db} dB`));
    const parts = [['Amplifier', 'amplifier.', ACCENT], ['Envelope', 'envelope.', MIDI]].map(([label, group, colour]) => {
      const on = area();
      return { on, label, colour, drawEnvelope: envelope(on, group, { label, rise, colour }) };
    });
    const power = (cutoff) => (hertz) => {
      const w = hertz / cutoff, resonance = value('filter.resonance'), mode = value('filter.mode');
      if (mode > 4) return 0;
      return decibels(mode < 1 ? ladder(w, 4, resonance) : stateVariable(w, [1, 2 * w, w * w, 1 - w * w][mode - 1], resonance));
    };
    const cutoff = (octaves = 0) => value('filter.cutoff') * 2 ** octaves;
    handle(response, { label: 'Filter', mark: 'F', x: 'filter.cutoff', y: 'filter.resonance', at: () => [cutoff(), power(cutoff())(cutoff())] });
    handle(response, { label: 'Filter', mark: 'E', x: 'filter.envelope', at: () => [cutoff(value('filter.envelope')), -36] });
    return (width, height) => {
      const low = height * 0.78 - 4, wide = width / 3;
      parts.forEach(({ on, label, colour, drawEnvelope }, index) => {
        on.show(index * wide, 0, wide - 12, low);
        drawEnvelope();
        write(label, (index + 1) * wide - 20, 18, { align: 'right', colour });
      });
      response.show(2 * wide, 0, wide, low);
      // The response at the envelope's peak.
      response.curve(power(cutoff(value('filter.envelope'))), MIDI, { width: 1.5, dash: [4, 4] });
      response.curve(power(cutoff()));
      write(text('filter.mode'), width - 8, 18, { align: 'right' });
      drawKeys(low + 4, width, height);
    };
  },

  envl() {
    const on = area(), curve = () => now.curve / 10, drawEnvelope = envelope(on, '', { rise: curve, fall: curve });
    return (width, height) => {
      on.show(0, 0, width, height);
      drawEnvelope();
      write(`${text('mode')} · curve ${text('curve')}`, width - 8, 18, { align: 'right' });
    };
  },

  // The sampler's file says how a note goes on; attack and release are what is added to it.
  smpl() {
    const on = area(), drawKeys = soundingKeys(), presets = new Map();
    handle(on, { mark: 'A', x: 'attack', at: () => [turn('attack'), 100] });
    handle(on, { mark: 'R', x: 'release', at: () => [3 + turn('release'), 0] });
    // Lines of bank, program and name; none of a file that has no presets.
    backline.audioUnit.then((unit) => unit.messageChannel('presets').callAudioUnit('')).then((reply) => {
      for (const [, place, name] of reply.matchAll(/^(\d+ \d+) (.*)$/gm)) presets.set(place, name);
      draw();
    }, () => {});
    return (width, height) => {
      on.show(0, 0, width, height * 0.6 - 4);
      outline(on, [[0, 0], [turn('attack'), 100], [3, 100], [3 + turn('release'), 0]]);
      write(presets.get(`${now.bank} ${now.program}`) ?? '', on.x(2), on.y(50), { size: 24, align: 'center', colour: TEXT });
      drawKeys(height * 0.6, width, height);
    };
  },

  // How it follows a sound that begins and ends; and the last ten seconds, beside the level that is 1.
  envf() {
    const on = area(), past = plot(linear(-10, 0, 2, (seconds) => `${seconds} s`), linear(-72, 0, 12, (db) => `${db} dB`));
    const moments = history(10, ({ peak }) => peak);
    handle(on, { mark: 'A', x: 'attack', at: () => [turn('attack'), 100] });
    handle(on, { mark: 'R', x: 'release', at: () => [3 + turn('release'), 0] });
    handle(past, { mark: '1', y: 'sensitivity', at: () => [-0.4, now.sensitivity] });
    return (width, height) => {
      const wide = width * 0.42;
      on.show(0, 0, wide, height);
      outline(on, [...stage(10, 0, 100, 0, turn('attack')), ...stage(10, 100, 0, 3, 3 + turn('release'))]);
      past.show(wide + 12, 0, width - wide - 12, height);
      past.trace(moments, (peak) => toDecibels(peak) + now.sensitivity, DEEP, { width: 1, base: height });
      line([[past.left, past.y(now.sensitivity)], [width, past.y(now.sensitivity)]], MARK, { width: 1 });
      write((moments.at(-1) ?? 0).toFixed(2), past.left + 44, 30, { size: 24, colour: TEXT });
    };
  },
};

show(FACES[code]());
