// Faces of the units with a frequency response. Powers, |H|², are those of the analogue prototypes that the
// units follow (dsp/prototype.h); w is the frequency over the cutoff's.

import {
  ACCENT, DEEP, EDGE, FREQUENCY, MIDI, TEXT, bar, choice, choices, code, handle, isOn, line, linear, now,
  parameters, plot, show, spectra, toDecibels, toGain, turn, value, within, write,
} from './backline.draw.js';
import { bell, decibels, ladder, ratio, stateVariable } from './backline.response.js';

/** Butterworth's low-pass of an order, its sharpest pair sharpened so that the gain at the cutoff is `q`. */
function lowPass(w, order, q) {
  const w2 = w * w;
  if (order === 1) return 1 / (1 + w2);
  let power = 1;
  for (let pair = 1; pair < order; pair += 2) {
    const own = 0.5 / Math.cos(Math.PI * pair / (2 * order)) * (pair === order - 1 ? q * Math.SQRT2 : 1);
    power /= (1 - w2) ** 2 + w2 / (own * own);
  }
  return power;
}

function bandPower(w, { type, gain, q, order }) {
  const w2 = w * w, a = 10 ** (gain / 40), side = Math.sqrt(a) / q * w;
  switch (type) {
    case 'Bell': return bell(w, a, q);
    case 'Low Shelf': return a * a * ratio(a - w2, side, 1 - a * w2, side);
    case 'High Shelf': return a * a * ratio(1 - a * w2, side, a - w2, side);
    case 'Tilt': return ratio(1 - a * a * w2, a * w / q, a * a - w2, a * w / q);
    case 'Notch': return ratio(1 - w2, 0, 1 - w2, w / q);
    case 'Band Pass': return ratio(0, w / q, 1 - w2, w / q);
    case 'Low Cut': return lowPass(1 / w, order, q);
    case 'High Cut': return lowPass(w, order, q);
    default: return 1;
  }
}

/** The low-pass and the high-pass. */
function cutoffFace(side) {
  return {
    range: 36,
    gain: () => (hertz) => decibels(lowPass((hertz / now.cutoff) ** side, 2 * now.slope + 2, Math.SQRT1_2 * toGain(now.resonance))),
    handles: [{ x: 'cutoff', y: 'resonance', at: () => [now.cutoff, now.resonance - 3] }],
  };
}

/** Bells whose gains are solved for until their sum goes through each fader (Liski and Välimäki 2017; here by
    Gauss and Seidel's steps). */
function graphicFace(lowest, octaves, q) {
  const names = parameters.map(({ keyPath }) => keyPath).filter((name) => name.startsWith('gain_'));
  const centre = (band) => lowest * 2 ** (band * octaves);
  const sum = (gains, hertz) => gains.reduce((db, gain, band) => db + decibels(bell(hertz / centre(band), 10 ** (gain / 40), q)), 0);
  return {
    range: 15,
    gain() {
      const gains = names.map(value);
      for (let round = 0; round < 12; round += 1) names.forEach((name, band) => { gains[band] += value(name) - sum(gains, centre(band)); });
      return (hertz) => sum(gains, hertz) + now.output;
    },
    over(area) {
      const wide = area.width * octaves / 30;
      names.forEach((name, band) => {
        const x = area.x(centre(band)), y = area.y(value(name));
        bar(x - wide / 2, y, wide, area.y(0) - y, DEEP);
        bar(x - wide, y - 3, wide * 2, 6, TEXT);
      });
    },
    handles: names.map((name, band) => ({ y: name, at: () => [centre(band), value(name)], isColumn: true })),
  };
}

const FACES = {
  lpas: () => cutoffFace(1),
  hpas: () => cutoffFace(-1),
  eqgr: () => graphicFace(31.25, 1, 0.95),
  eq31: () => graphicFace(19.686266, 1 / 3, 2.9),

  filt() {
    const gain = (hertz) => {
      const w = hertz / now.cutoff, w2 = w * w, mode = now.mode;
      return now.output + decibels(mode < 4
        ? ladder(w, mode + 1, now.resonance) : stateVariable(w, [w2, 2 * w, 1 - w2, 1 + w2][mode - 4], now.resonance));
    };
    return { range: 36, gain: () => gain, handles: [{
      x: 'cutoff', y: 'resonance', at: () => [now.cutoff, gain(now.cutoff)],
    }] };
  },

  eqpm() {
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map((mark) => ({ mark, of: (name) => `band${mark}.${name}` }));
    const isFlat = (of) => ['Low Cut', 'High Cut', 'Notch', 'Band Pass', 'All Pass'].includes(choice(of('type')));
    return {
      range: 24,
      gain() {
        const bands = all.filter(({ of }) => isOn(of('on'))).map(({ of }) => ({
          type: choice(of('type')), order: [1, 2, 4, 6, 8][value(of('slope'))],
          frequency: value(of('frequency')), gain: value(of('gain')), q: value(of('q')),
        }));
        return (hertz) => now.output + decibels(bands.reduce((power, band) => power * bandPower(hertz / band.frequency, band), 1));
      },
      handles: all.map(({ mark, of }) => ({
        mark, x: of('frequency'), y: of('gain'), extra: of('q'), isOff: () => !isOn(of('on')),
        at: () => [value(of('frequency')), isFlat(of) ? 0 : value(of('gain'))],
      })),
    };
  },

  // Linkwitz and Riley's bands (1976) are in phase: with the upper turned down to g, (1 + g w⁴) / (1 + w⁴).
  dees() {
    const down = (taken) => (hertz) => {
      const fourth = (hertz / now.frequency) ** 4;
      return 2 * decibels((1 + toGain(-taken) * fourth) / (1 + fourth));
    };
    return {
      range: 24, top: 3, gain: () => down(now.gain_reduction),
      over(area) {
        area.curve(down(now.range), EDGE, { width: 2, dash: [6, 4] });
        write(`${(-now.gain_reduction).toFixed(1)} dB`, area.width - 12, 36, { size: 24, align: 'right', colour: TEXT });
      },
      handles: [{ x: 'frequency', y: 'range', at: () => [2 * now.frequency, down(now.range)(2 * now.frequency)] }],
    };
  },

  // A band-pass of 0 dB at its centre, or the same filter's low-pass; the pedal's way is in octaves.
  wahh() {
    const centre = (place) => now.heel * (now.toe / now.heel) ** (within(place, 0, 100) / 100);
    const at = (place) => (hertz) => {
      const w = hertz / centre(place), side = w / now.q, real = 1 - w * w, dry = 1 - now.mix / 100, wet = (1 - dry) * toGain(now.level);
      const isLow = choice('type') === 'Low-Pass';
      return decibels(ratio(dry * real + (isLow ? wet : 0), (dry + (isLow ? 0 : wet)) * side, real, side));
    };
    return {
      range: 36, gain: () => at(now.pedal),
      // Where the envelope and the oscillator take it.
      over(area) {
        const reach = value('envelope.amount'), swing = value('lfo.amount') / 2;
        for (const away of [Math.min(reach, 0) - swing, Math.max(reach, 0) + swing]) {
          if (away) area.curve(at(now.pedal + away), MIDI, { width: 1.5, dash: [4, 4] });
        }
      },
      handles: [
        { x: 'pedal', y: 'q', at: () => [centre(now.pedal), at(now.pedal)(centre(now.pedal))] },
        { mark: 'H', x: 'heel', at: () => [now.heel, -24] }, { mark: 'T', x: 'toe', at: () => [now.toe, -24] },
      ],
    };
  },

  // Two shelves of first order and two bells in a row (neural_amp/tone.h); g - 1 of what each lets through is added.
  namp() {
    const shelf = (w, g) => ratio(1, g * w, 1, w);
    const wide = (w, g) => ratio(1 - w * w, Math.SQRT2 * g * w, 1 - w * w, Math.SQRT2 * w);
    const bands = [
      ['B', 'bass', 160, (w, g) => shelf(1 / w, g), 50], ['M', 'middle', 550, wide, 550],
      ['T', 'treble', 2000, shelf, 12000], ['P', 'presence', 4200, wide, 4200]];
    const gain = (hertz) => bands.reduce((db, [, name, corner, power]) => db + decibels(power(hertz / corner, toGain(value(`tone.${name}`)))), 0);
    return {
      range: 24, gain: () => gain,
      handles: bands.map(([mark, name, , , hertz]) => ({ mark, y: `tone.${name}`, at: () => [hertz, gain(hertz)] })),
    };
  },

  // The loss of wavelengths by the head's spacing, the layer's thickness and the gap (tape/tape_loss.h).
  tape() {
    const row = choices('speed'), sliders = [['S', 'spacing', 100], ['T', 'thickness', 500], ['G', 'gap', 2500]].map(
      ([mark, name, hertz]) => ({ mark, y: `head.${name}`, at: () => [hertz, -33 + 24 * turn(`head.${name}`)] }));
    const gain = (hertz) => {
      const k = 2 * Math.PI * hertz / (parseFloat(choice('speed')) * 0.0254), [spacing, layer, half] = [
        'head.spacing', 'head.thickness', 'head.gap'].map((name) => k * value(name) / 1e6);
      return toDecibels(Math.exp(-spacing) * (1 - Math.exp(-layer)) / layer * Math.abs(Math.sin(half / 2) / (half / 2)));
    };
    return {
      row, range: 36, top: 6, gain: () => gain,
      over(area) { for (const { at } of sliders) line([[area.x(at()[0]), area.y(-33)], [area.x(at()[0]), area.y(-9)]], EDGE, { width: 1 }); },
      handles: sliders,
    };
  },

  // A tone of 1 kHz becomes two, f away from it; by |sin| 2/π of it stay, and 2/π / (4k² - 1) come 2kf away.
  ring: () => ({
    range: 60, top: 6,
    over(area) {
      const f = now.frequency, mix = now.mix / 100, isSine = choice('waveform') === 'sine';
      const sides = isSine ? [[f, mix / 2]] : [1, 2, 3, 4, 5, 6].map((k) => [2 * k * f, mix * 2 / Math.PI / (4 * k * k - 1)]);
      const around = sides.flatMap(([away, level]) => [[1000 + away, level], [Math.abs(1000 - away), level]]);
      const partials = [[1000, 1 - mix + (isSine ? 0 : mix * 2 / Math.PI)], ...around];
      for (const [hertz, level] of partials) {
        const y = area.y(decibels(level * level) + now.level);
        bar(area.x(hertz) - 1.5, y, 3, area.height - y, hertz === 1000 ? TEXT : ACCENT);
      }
      write('what a tone of 1 kHz becomes', area.width - 12, 18, { align: 'right' });
    },
    handles: [{ x: 'frequency', y: 'level', extra: 'mix' }],
  }),
};

const { range, top = range, gain, over, handles, row } = FACES[code]();
const area = plot(FREQUENCY, linear(-range, top, range > 24 ? 12 : range > 15 ? 6 : 3, (db) => `${db} dB`));
const drawSpectra = spectra();
for (const one of handles) handle(area, one);
show((width, height) => {
  area.show(0, 0, width, row ? row.offsetTop - 4 : height);
  drawSpectra(area);
  if (gain) area.curve(gain(), ACCENT, { base: 0 });
  over?.(area);
});
