// A block of the graph: a unit with its sign, name, lamp, level and share of the processor, or a port.

import { svg } from './dom.js';
import { rack } from './rack.js';
import { kindOf, signOf } from './kinds.js';
import { deflection } from './meter.js';

const BUSY = 3; // percent of a core, above which a block says its share
const decibels = (peak) => (peak > 1e-9 ? 20 * Math.log10(peak) : -180);

/** Returns the element of a box, with functions that show its level and its share of the processor. */
export function block(box, words) {
  const { x, y, width, height } = box;
  const element = svg('g', { class: `box ${box.isPort ? 'port' : 'unit'}`, tabindex: 0, role: 'button', 'aria-label': words, 'data-name': box.name });
  if (box.isPort) {
    element.append(svg('rect', { x, y, width, height, rx: height / 2 }),
      svg('text', { x: x + width / 2, y: y + height / 2 - 2, 'text-anchor': 'middle' }, box.name),
      svg('text', { class: 'kind', x: x + width / 2, y: y + height / 2 + 12, 'text-anchor': 'middle' }, box.kind));
    return { element, showLevel() {}, showShare() {} };
  }
  const kind = kindOf(rack.unit(box.name)?.unit, rack.unit(box.name)?.tags ?? []);
  element.style.setProperty('--kind', `var(--kind-${kind})`);
  const level = svg('rect', { class: 'level', x: x + 1, y: y + height - 6, width: 0, height: 5, rx: 2 });
  const share = svg('text', { class: 'share', x: x + width - 10, y: y + height - 14, 'text-anchor': 'end' });
  const rows = box.inlets.map((inlet, row) => svg('text', {
    class: 'kind', x: x + 10, y: y + height / 2 + (row - (box.inlets.length - 1) / 2) * 15 + 4,
  }, inlet));
  element.append(
    svg('rect', { class: 'body', x, y, width, height, rx: 12 }),
    svg('path', { class: 'sign', d: signOf(kind), transform: `translate(${x + 10} ${y + 9}) scale(.8)` }),
    svg('text', { class: 'name', x: x + 36, y: y + 24 }, box.name),
    svg('circle', { class: 'lamp', cx: x + width - 16, cy: y + 19, r: 6 }),
    svg('rect', { class: 'hit', x: x + width - 36, y, width: 36, height: 38, 'data-lamp': box.name }),
    ...(rows.length ? rows : [svg('path', { class: 'sign large', d: signOf(kind), transform: `translate(${x + width / 2 - 14} ${y + 40}) scale(1.2)` })]),
    svg('text', { class: 'kind', x: x + 10, y: y + height - 14 }, [box.kind, box.process].filter(Boolean).join(' · ')),
    share, level);
  return {
    element,
    showLevel(peak) { level.setAttribute('width', (deflection(decibels(peak)) * (width - 2)).toFixed(1)); },
    showShare(percent) { share.textContent = percent >= BUSY ? `${percent.toFixed(1)} %` : ''; },
  };
}
