// The transient shaper: what becomes of a drum stroke that falls by 60 dB in half a second (transient_shaper.c).

import { ACCENT, EDGE, handle, line, linear, now, plot, show, toDecibels, toGain, turn, within, write } from './backline.draw.js';

const MOST = 600; // ms
const level = (ms) => (ms < 0 ? -160 : -0.12 * ms);

/** Returns the output level at each millisecond. */
function output() {
  const pace = (time) => 1 - Math.exp(-1 / time), part = (db) => within(db / 12, 0, 1);
  let rise = 1e-8, fall = 1e-8;
  return Array.from({ length: MOST + 1 }, (_, ms) => {
    const size = toGain(level(ms));
    rise += (size - rise) * (size > rise ? pace(now.attack_time) : 1);
    fall += (size - fall) * (size < fall ? pace(now.sustain_time) : 1);
    const gain = part(level(ms) - toDecibels(rise)) * now.attack + part(toDecibels(fall) - level(ms)) * now.sustain;
    return level(ms) + gain + now.output;
  });
}

const area = plot(linear(-100, MOST, 100, (ms) => `${ms} ms`), linear(-60, 24, 12, (db) => `${db} dB`));
const attackPlace = () => Math.round(now.attack_time / 2), sustainPlace = () => Math.round(250 + 250 * turn('sustain_time'));
handle(area, { mark: 'A', x: 'attack_time', y: 'attack', at: () => [attackPlace(), output()[attackPlace()]] });
handle(area, { mark: 'S', x: 'sustain_time', y: 'sustain', at: () => [sustainPlace(), output()[sustainPlace()]] });
handle(area, { mark: '+', y: 'output', at: () => [-50, now.output] });
show((width, height) => {
  const draw = (levels, colour, options) => line([[area.x(0), height], ...levels.map((db, ms) => [area.x(ms), area.y(db)])], colour, options);
  area.show(0, 0, width, height);
  draw(output(), ACCENT, { width: 3, base: height });
  draw(Array.from({ length: MOST + 1 }, (_, ms) => level(ms)), EDGE, { dash: [6, 4] });
  write('╌ a drum stroke', width - 8, 16, { align: 'right', colour: EDGE });
  write('— as it goes out', width - 8, 32, { align: 'right', colour: ACCENT });
});
