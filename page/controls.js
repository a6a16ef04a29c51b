// The rack's MIDI controls by knob or pedal: a knob with several targets is a macro.

import { h } from './dom.js';
import { rack } from './rack.js';

const CURVES = ['linear', 'log', 'square'];
const MODES = ['absolute', 'toggle', 'latching', 'twos-complement', 'binary-offset', 'sign-magnitude'];

export function controlsSection() {
  const { controls } = rack.listing;
  const groups = [...new Set(controls.map(({ from }) => from))].map((from) => {
    const own = controls.filter((control) => control.from === from);
    return h('section', { class: 'card', 'aria-label': from },
      h('div', {}, h('strong', {}, from), own.length > 1 ? h('span', { class: 'dim' }, `  macro of ${own.length}`) : null),
      own.map(row));
  });
  return h('section', { 'aria-label': 'Controls' }, h('h3', {}, 'Controls'),
    groups.length ? h('div', { class: 'cards wide' }, groups) : h('p', { class: 'dim' }, 'No MIDI control moves anything yet.'),
    learnForm());
}

/** Returns a row with the target, range, curve and mode of a control. */
function row(control) {
  const { from, to } = control;
  const parameter = rack.parameters.get(to);
  const isSwitch = parameter?.isWhole && parameter.maximum - parameter.minimum === 1;
  const hasRange = parameter && !isSwitch;
  const label = (text) => `${text}, ${from} to ${to}`;
  const choice = (text, usual, words, value) => h('select', { 'aria-label': label(text), onchange: change },
    h('option', { value: '' }, usual), words.map((word) => h('option', { selected: word === value }, word)));
  const end = (text, at, usual) => h('input', {
    class: 'end', 'aria-label': label(text), value: control.range?.[at] ?? '', placeholder: `${+usual.toPrecision(4)}`, onchange: change,
  });
  const low = hasRange && end('Lowest', 0, parameter.minimum);
  const high = hasRange && end('Highest', 1, parameter.maximum);
  const curve = hasRange && choice('Curve', 'its curve', CURVES, control.curve);
  const mode = parameter && choice('Mode', 'its mode', MODES, control.mode);
  const pickUp = hasRange && h('input', { type: 'checkbox', checked: control.picksUp, onchange: change });

  function change() {
    const range = hasRange && (low.value || high.value)
      ? [low.value || parameter.minimum, high.value || parameter.maximum] : isSwitch && control.range;
    rack.do('map', {
      from, to, ...(range && { range: range.join(', ') }), ...(curve.value && { curve: curve.value }),
      ...(mode.value && { mode: mode.value }), ...(pickUp.checked && { pick_up: true }),
    });
  }
  return h('div', { class: 'row control' }, h('span', { class: 'name' }, `→ ${to}`),
    hasRange ? [low, 'to', high, curve] : null, mode ?? null,
    hasRange ? h('label', { class: 'row' }, pickUp, 'picks up') : null,
    h('button', { class: 'small', 'aria-label': `Forget ${from} to ${to}`, onclick: () => rack.do('forget', { from, to }) }, 'Forget'));
}

/** Returns a form for the MIDI learn of any parameter, bypass or scene, found by a part of its name. */
function learnForm() {
  const targets = [...rack.parameters.values()].filter(({ isWritable }) => isWritable).map(({ parameter }) => parameter)
    .concat(rack.listing.scenes.map((name) => `scene ${name}`), 'next song', 'previous song', 'record', 'tap', 'panic');
  const to = h('input', { list: 'targets', 'aria-label': 'What the control moves', placeholder: 'echo.mix, scene lead …', required: true });
  return h('form', { class: 'row', onsubmit: (event) => { event.preventDefault(); rack.do('learn', { to: to.value.trim() }); } },
    to, h('datalist', { id: 'targets' }, targets.map((value) => h('option', { value }))), h('button', {}, 'Learn a control'));
}
