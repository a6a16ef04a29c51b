// The convolver and the cabinet: the response that they play through. The player: its file, and where it is.

import { ACCENT, EDGE, MARK, bar, buttons, code, draw, follow, isOn, line, linear, now, parameter, plot, show, write } from './backline.draw.js';

const isPlayer = code === 'play';
const wave = isPlayer ? {} : follow('response');
let row;
if (isPlayer) {
  // A file that it does not have, or cannot read, is shown as none.
  const unit = await backline.audioUnit;
  unit.messageChannel('waveform').callAudioUnit('').then((peaks) => { wave.data = { values: peaks.split(' ').map(Number) }; draw(); }, () => {});
  row = buttons(['playing', 'loop'].map((name) => [
    parameter(name).name, () => parameter(name).setValue(isOn(name) ? 0 : 1), () => isOn(name)]));
}
const area = plot(linear(0, 1), linear(-1, 1, 0.5, () => ''));
show((width, height) => {
  const { values = [] } = wave.data ?? {}, low = row?.offsetTop ?? height, step = width / values.length;
  const most = Math.max(1e-9, ...values.map(Math.abs)), place = isPlayer ? now.position / 100 : 1;
  area.show(0, 0, width, low);
  values.forEach((peak, index) => {
    const tall = low * Math.abs(peak) / most;
    bar(index * step, (low - tall) / 2, Math.max(step - 1, 1), tall, index < place * values.length ? ACCENT : EDGE);
  });
  line([[0, low / 2], [width, low / 2]], EDGE, { width: 1 });
  if (isPlayer) line([[place * width, 0], [place * width, low]], MARK);
  else if (wave.data && !values.length) write('no response: the sound passes unchanged', width / 2, low / 2 - 12, { size: 15, align: 'center' });
});
