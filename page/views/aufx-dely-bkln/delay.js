// The delay: its echoes on a ruler of time; their height is their level, their shade their treble.

import {
  DIM, TEXT, bar, handle, isOn, linear, now, plot, show, text, toDecibels, value, within, write,
} from './backline.draw.js';

const label = (seconds) => (seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${+seconds.toFixed(1)} s`);
const spans = [0.05, 0.1, 0.2, 0.5, 1, 2, 5].map((step) => linear(0, step * 10, step, label));
const ruler = plot(spans[0], linear(-60, 0, 12, (db) => `${db} dB`));
const first = () => toDecibels(now.mix / 100);
handle(ruler, { x: 'time', y: 'feedback', at: () => [now.time, first()] });
show((width, height) => {
  const time = now.time, mix = now.mix / 100, end = Math.min(Math.max(0.5, time * 6), 50);
  ruler.across = spans.find((span) => span.at(end) <= 1);
  ruler.show(0, 0, width, height - 20);
  const echo = (seconds, gain, shade) => {
    const y = ruler.y(toDecibels(gain));
    bar(ruler.x(seconds) - 4, y, 8, ruler.height - y, `rgb(${40 + 86 * shade} ${40 + 150 * shade} ${60 + 190 * shade})`);
  };
  const bright = Math.log(now.tone / 200) / Math.log(100);
  echo(0, 1 - mix, 1);
  // The heads read the line at quarters of the time; what they read does not go round.
  ['quarter', 'half', 'three_quarters'].forEach((head, index) => {
    const level = value(`heads.${head}`) / 100;
    if (level) echo((index + 1) / 4 * time, mix * level, 1);
  });
  const most = Math.min(ruler.across.of(1) / time, 400);
  for (let turn = 1, gain = mix, shade = 1; turn < most && gain > 1e-3; turn += 1) {
    echo(turn * time, gain, shade);
    if (isOn('ping_pong')) write(turn % 2 ? 'L' : 'R', ruler.x(turn * time), height - 6, { align: 'center' });
    gain *= Math.min(now.feedback / 100, 1);
    shade *= within(0.75 + 0.25 * bright, 0, 1);
  }
  write(`${text('time')} · ${text('feedback')}`, width - 16, 24, { size: 18, align: 'right', colour: now.sync ? DIM : TEXT });
});
