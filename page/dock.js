// The dock below the graph: the selected unit's presets, settings and overview parameters.

import { h } from './dom.js';
import { compareButtons } from './compare.js';
import { kindOf } from './kinds.js';
import { parameterControl } from './parameter.js';
import { presetRow } from './presets.js';
import { rack } from './rack.js';

const MOST = 8; // parameters

/** Returns the parameters that a small view shows, in their order. */
function overview(unit) {
  const own = unit.parameters.filter(({ parameter, isWritable }) => isWritable && !parameter.endsWith('.bypass'));
  const ranked = own.filter((one) => one.overviewRank).sort((one, other) => one.overviewRank - other.overviewRank);
  return (ranked.length ? ranked : own).slice(0, MOST);
}

/** The name of the selected unit, also after the view was built again. */
let selected = null;

const isDial = (element) => element.classList.contains('dial');

export class Dock {
  element = h('section', { class: 'dock', 'aria-label': 'Selected unit', hidden: true });
  #ends = [];

  get name() { return selected; }

  end() { for (const end of this.#ends.splice(0)) end(); }

  /** Shows a unit of the rack; nothing for null. */
  show(name) {
    this.end();
    selected = name;
    const unit = rack.unit(name);
    this.element.hidden = !unit || !rack.mayEdit;
    if (!unit || !rack.mayEdit) return;
    const controls = [rack.parameters.get(`${name}.bypass`), ...overview(unit)].map((parameter, index) => {
      const { element, end } = parameterControl(parameter, index === 0 ? { label: 'Bypass' } : { isDial: true });
      this.#ends.push(end);
      return element;
    });
    this.element.style.setProperty('--kind', `var(--kind-${kindOf(unit.unit, unit.tags)})`);
    this.element.replaceChildren(
      h('div', { class: 'row spread' },
        h('div', { class: 'row' }, h('h2', {}, name), h('span', { class: 'dim' }, unit.title), presetRow(unit, () => {})),
        h('div', { class: 'row' }, compareButtons(unit),
          h('a', { class: 'button', href: `#/unit/${encodeURIComponent(name)}`, 'aria-label': `Open ${name}` }, '⤢'))),
      h('div', { class: 'dials' }, controls.filter(isDial)),
      h('div', { class: 'choices' }, controls.filter((element) => !isDial(element))));
  }
}
