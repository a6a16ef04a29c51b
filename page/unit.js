// Unit: all parameters of a unit, its presets, and two settings to compare.

import { h } from './dom.js';
import { compareButtons } from './compare.js';
import { CONFIGURATIONS, showFace } from './face.js';
import { keyboardView } from './keyboard.js';
import { rack } from './rack.js';
import { Meters } from './meter.js';
import { parameterControl } from './parameter.js';
import { presetRow } from './presets.js';

export function unitView(place, name) {
  const unit = rack.unit(name);
  if (!unit) {
    place.append(h('p', {}, `There is no unit “${name}” in this rack.`), h('a', { href: '#/rack' }, 'To the rack'));
    return () => {};
  }
  const ends = [];
  const control = (parameter, options) => {
    const { element, end } = parameterControl(parameter, options);
    ends.push(end);
    return h('div', { class: 'parameter' }, element);
  };
  const bypass = rack.parameters.get(`${name}.bypass`);
  const summary = h('p', { class: 'dim' });
  const presets = presetRow(unit, (entry) => { summary.textContent = entry.summary; });
  const meters = new Meters();
  ends.push(() => meters.end(), rack.on('meters', ({ units: all }) => meters.show(all.filter((meter) => meter.name === name))));
  place.append(
    h('div', { class: 'row spread' },
      h('div', { class: 'row' },
        h('a', { class: 'button', href: '#/rack', 'aria-label': 'To the rack' }, '← Rack'), h('h2', {}, name), h('span', { class: 'dim' }, unit.title)),
      h('div', { class: 'row' }, presets, h('div', { class: 'row' }, compareButtons(unit),
        h('button', { onclick: () => rack.do('remove', { name }).then((done) => { if (done) location.hash = '#/rack'; }) }, 'Remove')))),
    summary,
    h('div', { class: 'parameters' }, control(bypass, { label: 'Bypass' })), meters.element);
  const face = h('div'), keys = h('div'), sizes = h('div', { class: 'row', role: 'group', 'aria-label': 'Size of its own view' });
  let endKeys = () => {};
  ends.push(() => endKeys(), showFace(unit, face, (indices, select) => {
    const choose = (index) => {
      for (const button of sizes.children) button.setAttribute('aria-pressed', Number(button.value) === index);
      endKeys();
      keys.replaceChildren();
      endKeys = CONFIGURATIONS[index].hostHasController && unit.takesMIDI ? keyboardView(keys, name) : () => {};
      select(index);
    };
    sizes.replaceChildren(...indices.map((index) =>
      h('button', { class: 'small', value: index, onclick: () => choose(index) }, CONFIGURATIONS[index].name)));
    choose(indices.includes(1) ? 1 : indices[0] ?? 1);
  }));
  place.append(sizes, face, keys);
  const own = unit.parameters.filter((parameter) => parameter !== bypass);
  const first = own.filter((parameter) => parameter.overviewRank).sort((one, other) => one.overviewRank - other.overviewRank);
  const section = (title, list) => {
    if (!list.length) return;
    place.append(h('section', { 'aria-label': title }, h('h3', {}, title),
      h('div', { class: 'parameters' }, list.map((parameter) => control(parameter)))));
  };
  section('Main', first);
  const rest = own.filter((parameter) => !parameter.overviewRank);
  for (const group of new Set(rest.map((parameter) => parameter.group))) {
    section(group ?? (first.length ? 'More' : 'Parameters'), rest.filter((parameter) => parameter.group === group));
  }
  const texts = unit.properties.filter(({ isPath }) => !isPath);
  if (texts.length) {
    place.append(h('section', { 'aria-label': 'Texts' }, h('h3', {}, 'Texts'), texts.map(({ property, name: title, value }) =>
      h('label', { class: 'row' }, title, h('input', {
        value: value ?? '', disabled: !rack.mayEdit,
        onchange: ({ target }) => rack.do('set', { parameter: property, value: target.value }),
      })))));
  }
  return () => { for (const end of ends) end(); };
}
