// The convolver and the cabinet: the response that they play through.

import { EDGE, bar, follow, line, linear, plot, show, write } from './backline.draw.js';

const response = follow('response');
const area = plot(linear(0, 1), linear(-1, 1, 0.5, () => ''));
show((width, height) => {
  const { values = [] } = response.data ?? {}, step = width / values.length, most = Math.max(1e-9, ...values.map(Math.abs));
  area.show(0, 0, width, height);
  values.forEach((peak, index) => {
    const tall = height * Math.abs(peak) / most;
    bar(index * step, (height - tall) / 2, Math.max(step - 1, 1), tall);
  });
  line([[0, height / 2], [width, height / 2]], EDGE, { width: 1 });
  if (response.data && !values.length) write('no response: the sound passes unchanged', width / 2, height / 2 - 12, { size: 15, align: 'center' });
});
