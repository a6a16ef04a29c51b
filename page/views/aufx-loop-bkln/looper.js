// The looper: the loop as a wheel that begins at the top, with its waveform and where it plays, and buttons.

import {
  ACCENT, BAD, EDGE, MARK, MIDI, WARN, buttons, choice, follow, line, now, parameter, show, write,
} from './backline.draw.js';

const COLOURS = { Empty: EDGE, Recording: BAD, Playing: ACCENT, Overdubbing: WARN, Stopped: MIDI };
const loop = follow('loop');
const row = buttons(['record', 'overdub', 'play', 'stop', 'undo', 'clear'].map((name) => [parameter(name).name, () => parameter(name).setValue(1)]));
show((width) => {
  const size = Math.min(row.offsetTop, width * 0.6) / 2 - 6, middle = row.offsetTop / 2, { values = [] } = loop.data ?? {};
  const at = (part, far) => [size + 8 + Math.sin(2 * Math.PI * part) * size * far, middle - Math.cos(2 * Math.PI * part) * size * far];
  const colour = COLOURS[choice('state')];
  line(Array.from({ length: 65 }, (_, index) => at(index / 64, 0.65)), EDGE, { width: 1 });
  values.forEach((peak, index) => {
    const part = index / values.length, size = Math.abs(peak);
    line([at(part, 0.65 - 0.3 * size), at(part, 0.65 + 0.35 * size)], colour);
  });
  if (now.length) line([at(now.position / now.length, 0.2), at(now.position / now.length, 1)], MARK, { width: 3 });
  write(choice('state'), size * 2 + 24, middle, { size: 20, colour });
  write(`${now.position.toFixed(1)} of ${now.length.toFixed(1)} s`, size * 2 + 24, middle + 18);
  write(`${now.layers} layers`, size * 2 + 24, middle + 34);
});
