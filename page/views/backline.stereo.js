// The stereo tools and the panner: a goniometer, upright for what is in the middle, and sliders.

import { ACCENT, DIM, EDGE, GRID, bar, code, follow, handle, line, linear, now, parameter, plot, show, text, turn, write } from './backline.draw.js';

const names = code === 'panr' ? ['pan', 'spread'] : ['width', 'balance', 'rotate'];
const scope = follow('output.scope');
const sliders = plot(linear(0, 1), linear(names.length, 0));
names.forEach((name, row) => handle(sliders, { x: name, at: () => [turn(name), row + 0.65] }));
show((width, height) => {
  const size = Math.min(height, width / 2) * 0.47, middle = size + 8, centre = height / 2;
  // Middle upwards, left to the left; a full side reaches its letter.
  const point = (left, right) => [middle + (right - left) * size * 0.7, centre - (left + right) * size * 0.7];
  for (const [left, right, name] of [[1, 0, 'L'], [0, 1, 'R'], [0.7, 0.7, '']]) {
    line([point(left, right), point(-left, -right)], name ? GRID : EDGE, { width: 1 });
    write(name, ...point(left * 1.08, right * 1.08), { align: 'center' });
  }
  const { left = [], right = [] } = scope.data ?? {};
  line(Array.from(left, (sample, index) => point(sample, right[index])), ACCENT, { width: 1 });
  sliders.show(middle * 2 + 16, 0, width - middle * 2 - 32, height);
  names.forEach((name, row) => {
    const y = sliders.y(row + 0.65);
    bar(sliders.left, y - 1, sliders.width, 2, EDGE);
    bar(sliders.x(0.5), y - 3, sliders.x(turn(name)) - sliders.x(0.5), 6);
    write(`${parameter(name).name} ${text(name)}`, sliders.left, y - 10, { colour: DIM });
  });
  if (parameter('correlation')) write(`correlation ${now.correlation.toFixed(2)}`, middle, height - 6, { align: 'center' });
});
