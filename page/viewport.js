// Pans and zooms the graph: by dragging its ground, by two fingers, by Ctrl and the wheel, by buttons and keys.

import { h } from './dom.js';
import { rack } from './rack.js';

const MOST = 3, LEAST = 0.15; // pixels for a unit of the drawing
const STEP = 1.25;
/** Below this scale, only names are legible. */
const SMALL = 0.6;

const within = (value, low, high) => Math.min(Math.max(value, low), high);

/** The drawing's point in the upper left corner, and the scale, of the rack shown last; null: all of the drawing is shown. */
const kept = { rack: '', view: null };

/** What part of the graph an element shows. */
export class Viewport {
  #place;
  #drawing = null;
  #size = { width: 1, height: 1 };
  #pointers = new Map();

  constructor(place) {
    this.#place = place;
    const { rack: name } = rack.listing;
    if (kept.rack !== name) Object.assign(kept, { rack: name, view: null });
    this.observer = new ResizeObserver(() => this.#show());
    this.observer.observe(place);
    place.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.#zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    }, { passive: false });
    place.addEventListener('focusin', ({ target }) => this.#reveal(target));
    place.addEventListener('pointerdown', (event) => this.#press(event));
    place.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel']) {
      place.addEventListener(name, (event) => this.#pointers.delete(event.pointerId));
    }
  }

  end() { this.observer.disconnect(); }

  /** Shows a drawing of this size. */
  show(drawing, size) {
    [this.#drawing, this.#size] = [drawing, size];
    this.#place.replaceChildren(drawing);
    this.#show();
  }

  /** Whether two fingers pan and zoom now, so that neither draws a cable. */
  get isPinched() { return this.#pointers.size > 1; }

  buttons() {
    const middle = () => {
      const box = this.#place.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const button = (text, label, action) => h('button', { class: 'small', 'aria-label': label, onclick: action }, text);
    return [
      button('−', 'Smaller', () => this.#zoom(1 / STEP, ...middle())),
      button('Fit', 'Show the whole graph', () => { kept.view = null; this.#show(); }),
      button('+', 'Larger', () => this.#zoom(STEP, ...middle())),
    ];
  }

  /** The scale and the corner at which all of the drawing is seen, in the middle. */
  #fit() {
    const { clientWidth, clientHeight } = this.#place;
    const scale = within(Math.min(clientWidth / this.#size.width, clientHeight / this.#size.height), LEAST, 1.5);
    return { scale, x: (this.#size.width - clientWidth / scale) / 2, y: (this.#size.height - clientHeight / scale) / 2 };
  }

  #show() {
    if (!this.#drawing || !this.#place.clientWidth) return;
    const { scale, x, y } = kept.view ?? this.#fit();
    const { clientWidth, clientHeight } = this.#place;
    this.#drawing.setAttribute('viewBox', `${x} ${y} ${clientWidth / scale} ${clientHeight / scale}`);
    this.#drawing.classList.toggle('small', scale < SMALL);
  }

  #zoom(factor, clientX, clientY) {
    const { scale, x, y } = kept.view ?? this.#fit();
    const box = this.#place.getBoundingClientRect();
    const next = within(scale * factor, LEAST, MOST), change = 1 / scale - 1 / next;
    kept.view = { scale: next, x: x + (clientX - box.left) * change, y: y + (clientY - box.top) * change };
    this.#show();
  }

  #pan(dx, dy) {
    const { scale, x, y } = kept.view ?? this.#fit();
    kept.view = { scale, x: x - dx / scale, y: y - dy / scale };
    this.#show();
  }

  /** Pans so far that an element with the focus is seen. */
  #reveal(element) {
    const inner = element.getBoundingClientRect(), outer = this.#place.getBoundingClientRect();
    const past = (low, high, least, most) => (low < least ? least - low : high > most ? Math.max(most - high, least - low) : 0);
    const dx = past(inner.left, inner.right, outer.left, outer.right), dy = past(inner.top, inner.bottom, outer.top, outer.bottom);
    if (dx || dy) this.#pan(dx, dy);
    this.#place.scrollTo(0, 0);
  }

  #press(event) {
    const isGround = !event.target.closest('.box, .cable');
    // A second finger pans and zooms wherever the first one is.
    if (event.button !== 0 || (!isGround && event.pointerType !== 'touch')) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, isGround });
  }

  #move(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) return;
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    const other = [...this.#pointers.values()].find((one) => one !== pointer);
    const apart = (x, y) => Math.hypot(x - other.x, y - other.y);
    if (other) {
      const before = apart(pointer.x, pointer.y), after = apart(event.clientX, event.clientY);
      if (before > 0) this.#zoom(after / before, other.x, other.y);
    } else if (pointer.isGround) this.#pan(dx, dy);
    Object.assign(pointer, { x: event.clientX, y: event.clientY });
  }
}
