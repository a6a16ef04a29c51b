// Meters: fall 13.3 dB a second, mark the peak of the last 1.5 s, and show CLIP until pressed.

import { h } from './dom.js';

const FALL = 13.3; // dB a second
const HOLD = 1.5; // s

const decibels = (linear) => (linear > 1e-9 ? 20 * Math.log10(linear) : -180);

/** Returns the deflection of a level in dB, 0 to 1, by IEC 60268-18. */
export function deflection(db) {
  const scale = [[-70, 0, 0.25], [-60, 0.025, 0.5], [-50, 0.075, 0.75], [-40, 0.15, 1.5],
    [-30, 0.3, 2], [-20, 0.5, 2.5], [0, 1, 0]];
  if (db <= -70) return 0;
  if (db >= 0) return 1;
  for (let place = scale.length - 2; place >= 0; place -= 1) {
    const [from, at, slope] = scale[place];
    if (db >= from) return at + (db - from) * slope / 100;
  }
  return 0;
}

class Meter {
  level = -180;
  rms = -180;
  mark = -180;
  markTime = 0;
  hasClipped = false;
  isDrawn = false;

  constructor(name) {
    this.canvas = h('canvas', {
      width: 320, height: 18, role: 'meter', 'aria-label': name, 'aria-valuemin': -70, 'aria-valuemax': 0,
    });
    this.peak = h('button', {
      class: 'peak plain small', 'aria-label': `peak of ${name}`,
      onclick: () => { this.hasClipped = false; this.mark = -180; },
    });
    this.element = h('div', { class: 'meter' }, h('span', { 'aria-hidden': true }, name), this.canvas, this.peak);
  }

  note({ peak, rms }, now) {
    const db = decibels(peak);
    this.level = Math.max(this.level, db);
    this.rms = decibels(rms);
    if (db >= this.mark || now - this.markTime > HOLD) [this.mark, this.markTime] = [db, now];
    if (peak >= 1) this.hasClipped = true;
    const text = this.hasClipped ? 'CLIP' : this.mark < -99 ? '−∞' : this.mark.toFixed(1);
    if (this.peak.textContent !== text) {
      this.peak.textContent = text;
      this.peak.classList.toggle('clip', this.hasClipped);
      this.canvas.setAttribute('aria-valuenow', Math.max(-70, this.mark).toFixed(1));
      this.canvas.setAttribute('aria-valuetext', this.hasClipped ? 'clipped' : `${text} dB`);
    }
  }

  draw(seconds) {
    this.level = Math.max(this.level - FALL * seconds, this.rms, -180);
    const context = this.canvas.getContext('2d');
    const { width, height } = this.canvas;
    context.clearRect(0, 0, width, height);
    const at = deflection(this.level) * width;
    const parts = [[-18, '#2f7fb8'], [-6, '#7cc7f2'], [0, '#f0e442']];
    let from = 0;
    for (const [db, colour] of parts) {
      const to = deflection(db) * width;
      if (at > from) {
        context.fillStyle = colour;
        context.fillRect(from, 2, Math.min(at, to) - from, height - 4);
      }
      from = to;
    }
    context.fillStyle = '#f2f4f7';
    if (this.mark > -70) context.fillRect(deflection(this.mark) * width - 2, 0, 2, height);
    context.fillStyle = '#0e1013';
    for (const db of [-40, -30, -20, -10, -6, -3]) context.fillRect(deflection(db) * width, 0, 1, 4);
  }
}

/** A row of meters, drawn at the rate of the screen, or ten times a second with reduced motion. */
export class Meters {
  #meters = new Map();
  #last = performance.now();
  #frame = 0;
  element = h('div', { class: 'meters' });

  constructor() {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
    const draw = (time) => {
      const seconds = (time - this.#last) / 1000;
      if (!isCalm.matches || seconds >= 0.1) {
        this.#last = time;
        for (const meter of this.#meters.values()) meter.draw(seconds);
      }
      this.#frame = requestAnimationFrame(draw);
    };
    this.#frame = requestAnimationFrame(draw);
  }

  /** Shows these meters: [{ name, peak, rms }]. */
  show(readings) {
    const now = performance.now() / 1000;
    for (const reading of readings) {
      let meter = this.#meters.get(reading.name);
      if (!meter) {
        meter = new Meter(reading.name);
        this.#meters.set(reading.name, meter);
        this.element.append(meter.element);
      }
      meter.note(reading, now);
    }
    for (const [name, meter] of this.#meters) {
      if (readings.some((reading) => reading.name === name)) continue;
      meter.element.remove();
      this.#meters.delete(name);
    }
  }

  end() { cancelAnimationFrame(this.#frame); }
}
