// The drum machine: each drum as high as its level and as wide as its decay.

import { ACCENT, DEEP, TEXT, bar, handle, line, linear, parameter, parameters, plot, show, turn, value, write } from './backline.draw.js';

const names = parameters.map(({ keyPath }) => keyPath).filter((name) => name.endsWith('.level'));
const drums = names.map((level, index) => {
  const drum = level.slice(0, -6), area = plot(linear(0, 1), linear(-60, 12, 12, index ? () => '' : (db) => `${db} dB`));
  const end = () => 0.06 + 0.8 * turn(`${drum}.decay`);
  handle(area, { x: `${drum}.decay`, y: level, extra: `${drum}.tune`, at: () => [end(), value(level)] });
  return { area, level, end, words: parameter(level).name.split(' ').slice(0, -1) };
});
show((width, height) => {
  const low = height - 36, wide = width / drums.length;
  drums.forEach(({ area, level, end, words }, index) => {
    area.show(index * wide, 0, wide, low);
    const left = area.x(0.06), right = area.x(end()), top = Math.min(area.y(value(level)), low);
    bar(left, top, right - left, low - top, `${DEEP}55`);
    line([[left, top], [right, low]], ACCENT, { base: low });
    words.forEach((word, row) => write(word, area.x(0.45), low + 15 + row * 14, { align: 'center', colour: TEXT }));
  });
});
