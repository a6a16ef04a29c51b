// Two settings of a unit to compare, A and B, kept while the browser's tab is open.

import { h, say } from './dom.js';
import { rack } from './rack.js';

const values = (unit) => Object.fromEntries(unit.parameters
  .filter((parameter) => parameter.isWritable && !parameter.isMomentary)
  .map((parameter) => [parameter.parameter, parameter.value]));

/** Returns buttons for A and B of a unit, and a button that copies the present setting to the other. */
export function compareButtons(unit) {
  const key = `compare ${rack.listing.rack} ${unit.name} ${unit.unit}`;
  const own = JSON.parse(sessionStorage.getItem(key)) ?? { shown: 'A', A: values(unit), B: values(unit) };
  const keep = () => sessionStorage.setItem(key, JSON.stringify(own));
  const other = () => (own.shown === 'A' ? 'B' : 'A');
  const choose = async (side) => {
    if (side === own.shown) return;
    own[own.shown] = values(unit);
    const moved = Object.entries(own[side]).filter(([path, value]) => (rack.parameters.get(path)?.value ?? value) !== value);
    if (moved.length && !await rack.do('set-all', { values: moved.map(([path, value]) => `${path}=${value}`).join(', ') }, true)) return;
    own.shown = side;
    keep();
    show();
    say(`${unit.name}: ${side}`);
  };
  const sides = ['A', 'B'].map((side) => h('button', { 'aria-label': `Setting ${side}`, onclick: () => choose(side) }, side));
  const copy = h('button', { onclick: () => {
    own[other()] = values(unit);
    keep();
    say(`${unit.name}: ${other()} is as ${own.shown}`);
  } });
  const show = () => {
    sides.forEach((button) => button.setAttribute('aria-pressed', button.textContent === own.shown));
    copy.textContent = `${own.shown} → ${other()}`;
    copy.setAttribute('aria-label', `Copy ${own.shown} to ${other()}`);
  };
  show();
  return [...sides, copy];
}
