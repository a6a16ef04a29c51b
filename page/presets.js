// A unit's presets: to load, and to save and delete those of the user.

import { h, menu, nameForm } from './dom.js';
import { forget, units } from './catalogue.js';
import { rack } from './rack.js';

/** Returns the row of a unit's presets; `about` gets the unit's entry of the catalogue. */
export function presetRow(unit, about) {
  const { name, preset } = unit;
  let own = [];
  const choice = h('select', {
    'aria-label': 'Preset', onchange: () => choice.value && rack.do('preset', { name, preset: choice.value }),
  }, h('option', { value: '' }, preset ?? 'Preset …'));
  const save = h('button', { 'aria-label': 'Save as a preset', onclick: () => ask() }, 'Save …');
  const remove = h('button', {
    hidden: true, 'aria-label': `Delete the preset ${preset}`,
    onclick: () => {
      const { left, bottom } = remove.getBoundingClientRect();
      menu(left, bottom, [[`Delete “${preset}” for good`, () => change('delete-preset', { preset })]]);
    },
  }, 'Delete');
  const element = h('div', { class: 'row' }, choice, save, remove);
  const change = async (command, members) => {
    forget();
    if (await rack.do(command, { name, ...members })) element.replaceChildren(choice, save, remove);
  };
  const ask = () => {
    const form = nameForm({
      label: 'Name of the preset', value: own.includes(preset) ? preset : '',
      text: (text) => (own.includes(text) ? 'Replace' : 'Save'),
      action: (text) => change('save-preset', { preset: text, ...(own.includes(text) && { replace: true }) }),
      cancel: () => { element.replaceChildren(choice, save, remove); save.focus(); },
    });
    element.replaceChildren(form);
    form.querySelector('input').select();
  };
  units().then((all) => {
    const entry = all.find(({ unit: code }) => code === unit.unit);
    if (!entry) return;
    own = entry.userPresets;
    remove.hidden = !own.includes(preset);
    choice.append(...entry.presets.filter((text) => text !== preset).map((text) => h('option', { value: text }, text)));
    about(entry);
  }).catch(() => {});
  return element;
}
