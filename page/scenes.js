// The rack's scenes: to recall, store, rename and remove.

import { h, nameForm } from './dom.js';
import { rack } from './rack.js';

/** Returns the section for the rack's view, and the function that ends it. */
export function scenesSection() {
  const rows = new Map(rack.listing.scenes.map((name) => [name, row(name)]));
  const show = (state) => {
    for (const [name, { recall }] of rows) {
      const isOn = name === state.scene;
      recall.setAttribute('aria-pressed', isOn);
      recall.textContent = name + (isOn && state.isSceneChanged ? ' *' : '');
    }
  };
  show(rack.state);
  const element = h('section', { 'aria-label': 'Scenes' }, h('h3', {}, 'Scenes'),
    rows.size ? h('ul', { class: 'list' }, [...rows.values()].map(({ item }) => item))
      : h('p', { class: 'dim' }, 'This rack has no scenes yet.'),
    rack.mayEdit ? nameForm({
      label: 'Name of the new scene', placeholder: 'New scene', text: () => 'Store as a scene',
      action: (name) => rack.do('store-scene', { name }),
    }) : null);
  return { element, end: rack.on('state', show) };
}

function row(name) {
  const recall = h('button', { class: 'name', 'aria-label': `Recall ${name}`, onclick: () => rack.do('scene', { name }) }, name);
  const tool = (text, label, action) => h('button', { class: 'small', 'aria-label': label, onclick: action }, text);
  const item = h('li', { class: 'row' });
  const show = () => item.replaceChildren(recall, ...(rack.mayEdit ? [
    tool('Store', `Store the present values as ${name}`, () => rack.do('store-scene', { name })),
    tool('Rename', `Rename ${name}`, rename),
    tool('Remove', `Remove ${name}`, () => rack.do('remove-scene', { name })),
  ] : []));
  const rename = () => {
    const form = nameForm({
      label: `New name of ${name}`, value: name, text: () => 'Rename',
      action: (to) => (to === name ? show() : rack.do('rename-scene', { name, to })),
      cancel: () => { show(); item.querySelector('[aria-label^=Rename]').focus(); },
    });
    item.replaceChildren(form);
    form.querySelector('input').select();
  };
  show();
  return { item, recall };
}
