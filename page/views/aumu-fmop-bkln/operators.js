// The FM synth: which operator modulates which, each as high as its level and as wide as its decay, and the
// keys that sound.

import { ACCENT, DEEP, EDGE, MARK, MIDI, TEXT, bar, handle, isOn, line, linear, now, plot, show, text, turn, value, write } from './backline.draw.js';
import { soundingKeys } from './backline.piano.js';

/** Which operators modulate the first to the sixth, and which go to the output, as fm_algorithms.h has them. */
const ALGORITHMS = `
  2,,4,5,6,6,13 2,2,4,5,6,,13 2,3,,5,6,6,14 2,3,,5,6,4,14 2,,4,,6,6,135 2,,4,,6,5,135 2,,45,,6,6,13 2,,45,4,6,,13
  2,2,45,,6,,13 2,3,3,56,,,14 2,3,,56,,6,14 2,2,456,,,,13 2,,456,,,6,13 2,,4,56,,6,13 2,2,4,56,,,13 235,,4,,6,6,1
  235,2,4,,6,,1 234,,3,5,6,,1 2,3,,6,6,6,145 3,3,3,56,,,124 3,3,3,6,6,,1245 2,,6,6,6,6,1345 ,3,,6,6,6,1245 ,,6,6,6,6,12345
  ,,,6,6,6,12345 ,3,,56,,6,124 ,3,3,56,,,124 2,,4,5,5,,136 ,,4,,6,6,1235 ,,4,5,5,,1236 ,,,,6,6,12345 ,,,,,6,123456
`.trim().split(/\s+/).map((each) => each.split(','));

const operators = Array.from({ length: 6 }, (_, index) => {
  const group = `op${index + 1}`, area = plot(linear(0, 1), linear(0, 1));
  const at = () => [0.1 + 0.75 * turn(`${group}.decay`), turn(`${group}.level`)];
  handle(area, { mark: index + 1, x: `${group}.decay`, y: `${group}.level`, extra: `${group}.ratio`, at });
  return { group, area, at };
});
const drawKeys = soundingKeys();

/** Returns the number of operators between an operator and the output. */
const depth = (routes, operator) => {
  if (routes[6].includes(operator)) return 0;
  const next = [1, 2, 3, 4, 5].find((to) => to < operator && routes[to - 1].includes(operator));
  return next ? 1 + depth(routes, next) : 0;
};

show((width, height) => {
  const routes = ALGORITHMS[now.algorithm - 1], wide = width / 6, tree = height * 0.36, low = height * 0.84;
  const place = (operator) => [(operator - 0.5) * wide, tree - 18 - depth(routes, operator) * (tree - 36) / 3];
  for (let to = 1; to <= 6; to += 1) {
    const [x, y] = place(to);
    for (const from of routes[to - 1]) {
      const [left, top] = place(+from);
      // What feeds back goes round.
      if (from > to) line([[left, top], [x, y]], MIDI);
      else line([[left, top], [left + 26, top - 8], [x + 26, y + 8], [x, y]], MARK, { width: 1, dash: [4, 3] });
    }
    if (routes[6].includes(to)) line([[x, y], [x, tree]], ACCENT);
  }
  operators.forEach(({ group, area, at }, index) => {
    const [x, y] = place(index + 1), isCarrier = routes[6].includes(index + 1), colour = isCarrier ? ACCENT : MIDI;
    bar(x - 14, y - 11, 28, 22, isCarrier ? DEEP : '#4b3344');
    write(index + 1, x, y + 5, { size: 15, align: 'center', colour: TEXT });
    area.show(index * wide + 4, tree + 26, wide - 8, low - tree - 30);
    const [end, level] = at(), top = area.y(level), foot = area.y(0);
    line([[area.x(0.1), top], [area.x(end), top + (foot - top) * (1 - value(`${group}.sustain`) / 100)], [area.x(1), foot]], colour, { base: foot });
    write(isOn(`${group}.fixed`) ? text(`${group}.frequency`) : `× ${text(`${group}.ratio`)}`, x, tree + 18, { align: 'center', colour: TEXT });
  });
  line([[0, tree], [width, tree]], EDGE, { width: 1 });
  write(`algorithm ${text('algorithm')}`, width - 8, 16, { align: 'right' });
  drawKeys(low, width, height);
});
