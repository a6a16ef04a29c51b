// The positions of the graph's boxes: moved by dragging with Alt, or without Alt while "Move boxes" is on, or by
// Alt and the arrow keys.

import { h } from './dom.js';
import { rack } from './rack.js';

const STEP = 10;
let isOn = false;

/** Whether a press moves a box, instead of making a cable. */
export const moves = (event) => rack.mayEdit && (isOn || event.altKey);

const put = (name, x, y) =>
  rack.do('layout', { name, x: Math.max(0, Math.round(x)), y: Math.max(0, Math.round(y)) });

export function layoutButtons(graph) {
  const toggle = h('button', { class: 'small', onclick: () => { isOn = !isOn; show(); } }, 'Move boxes');
  const show = () => {
    toggle.setAttribute('aria-pressed', isOn);
    graph.classList.toggle('moving', isOn);
  };
  show();
  return [toggle, h('button', { class: 'small', onclick: () => rack.do('layout', { reset: true }) }, 'Tidy up')];
}

/** Moves boxes of a drawing by the pointer; `point` returns the position of an event in the drawing. */
export function dragBoxes(drawing, boxes, point) {
  let drag = null;
  drawing.addEventListener('pointerdown', (event) => {
    const element = event.target.closest('.box');
    if (!element || event.button !== 0 || !moves(event)) return;
    drag = { element, box: boxes.get(element.dataset.name), from: point(event), dx: 0, dy: 0 };
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener('pointermove', (event) => {
    if (!drag) return;
    const at = point(event);
    [drag.dx, drag.dy] = [at.x - drag.from.x, at.y - drag.from.y];
    drag.element.setAttribute('transform', `translate(${drag.dx} ${drag.dy})`);
  });
  for (const name of ['pointerup', 'pointercancel']) {
    drawing.addEventListener(name, () => {
      if (!drag) return;
      const { element, box, dx, dy } = drag;
      drag = null;
      if (name === 'pointerup' && Math.hypot(dx, dy) > 3) put(box.name, box.x + dx, box.y + dy);
      else element.removeAttribute('transform');
    });
  }
}

const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

/** Moves a box by a key; the rack gets the position after the last of several key presses. */
export function nudge(event, element, box) {
  const arrow = ARROWS[event.key];
  if (!arrow || !event.altKey || !rack.mayEdit) return false;
  element.shift ??= [0, 0];
  element.shift = element.shift.map((shift, axis) => shift + arrow[axis]);
  element.setAttribute('transform', `translate(${element.shift})`);
  clearTimeout(element.timer);
  element.timer = setTimeout(() => put(box.name, box.x + element.shift[0], box.y + element.shift[1]), 300);
  event.preventDefault();
  return true;
}
