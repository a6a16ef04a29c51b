// Drawing tools for units' faces: scales, plots, curves, spectra, handles and buttons. A face is a module that
// imports this module, whose import completes once the unit is ready.

import './backline.js';
import { onGesture } from './backline.gesture.js';

document.head.insertAdjacentHTML('beforeend', '<link rel="stylesheet" href="backline.css">');
const unit = await backline.audioUnit;
const tree = unit.parameterTree;
export const code = unit.component.split('/')[1];
export const parameters = tree.allParameters();
export const parameter = tree.parameter;
export const value = (name) => parameter(name)?.value ?? 0;
/** The values by name: `now.cutoff`. */
export const now = new Proxy({}, { get: (_, name) => value(name) });
export const text = (name) => parameter(name).text;
export const isOn = (name) => value(name) >= 0.5;
/** Returns the name of the value of a parameter with a list of values. */
export const choice = (name) => parameter(name).values[value(name) - parameter(name).minimum];

export const [GRID, EDGE, DIM, TEXT, ACCENT, PALE, DEEP, MIDI, WARN, BAD, MARK] = [
  '#2a3038', '#7a8694', '#a9b2bd', '#f2f4f7', '#56b4e9', '#7cc7f2', '#2f7fb8', '#cc79a7', '#e69f00', '#ff6b4a', '#f0e442'];
export const within = (of, low, high) => Math.min(Math.max(of, low), high);
export const toGain = (db) => 10 ** (db / 20);
export const toDecibels = (gain) => 20 * Math.log10(gain + 1e-10);

// A scale maps values to positions, 0 to 1, and back.
export const linear = (low, high, step, label = String) => ({
  label, at: (of) => (of - low) / (high - low), of: (place) => low + (high - low) * place,
  ticks: step ? Array.from({ length: Math.floor((high - low) / step + 1.001) }, (_, index) => low + index * step) : [],
});
export const log = (low, high, ticks, label) => ({
  label, ticks, at: (of) => Math.log(of / low) / Math.log(high / low), of: (place) => low * (high / low) ** place,
});
const hertz = (of) => (of < 1000 ? of : `${of / 1000}k`);
export const FREQUENCY = log(20, 20000, [50, 100, 200, 500, 1000, 2000, 5000, 10000], hertz);

const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
const handles = [];
let paint = () => {}, context, timer;
const canvas = backline.canvas((pen, width, height) => {
  context = pen;
  paint(width, height);
  for (const handle of handles) handle.place(width, height);
});
/** Requests a redraw; at most ten a second with reduced motion. */
export function draw() {
  if (isCalm.matches) timer ??= setTimeout(() => { timer = null; canvas.draw(); }, 100);
  else canvas.draw();
}
tree.addParameterObserver(draw);
/** Sets the function `paint(width, height)` that draws the face after each change. */
export function show(face) { paint = face; draw(); }

/** Returns an object with the latest telemetry data as `data`; undefined before the first. */
export function follow(id, heard) {
  const latest = {};
  unit.telemetry.subscribe(id, (data) => { latest.data = data; heard?.(data); draw(); });
  return latest;
}
/** Returns the results of `read(levels)` for the levels of the last `seconds`, 25 a second. */
export function history(seconds, read) {
  const past = Object.assign([], { most: seconds * 25 });
  follow('levels', (levels) => { if (past.push(read(levels)) > past.most) past.shift(); });
  return past;
}

/** Draws a line through points; `base`: the lower edge of the filled area below. */
export function line(points, colour = ACCENT, { width = 2, dash = [], base } = {}) {
  context.beginPath();
  for (const point of points) context.lineTo(...point);
  Object.assign(context, { strokeStyle: colour, lineWidth: width, fillStyle: `${colour}33` });
  context.setLineDash(dash);
  if (width) context.stroke();
  if (base === undefined || !points.length) return;
  context.lineTo(points.at(-1)[0], base);
  context.lineTo(points[0][0], base);
  context.fill();
}
export function write(what, x, y, { size = 12, colour = DIM, align = 'left' } = {}) {
  Object.assign(context, { font: `${size > 14 ? 600 : 400} ${size}px system-ui, sans-serif`, fillStyle: colour, textAlign: align });
  context.fillText(what, x, y);
}
export function bar(x, y, width, height, colour = ACCENT) {
  context.fillStyle = colour;
  context.fillRect(x, y, width, height);
}
export function dot(x, y, size, colour = MARK) {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, size, 0, 7);
  context.fill();
}

/** An area with a scale across and one upwards. */
class Plot {
  constructor(across, up) { Object.assign(this, { across, up }); }
  x(of) { return this.left + this.across.at(of) * this.width; }
  y(of) { return this.top + (1 - within(this.up.at(of), -0.1, 1.1)) * this.height; }
  /** Places the plot and draws its grid, with as many labels as fit. */
  show(left, top, width, height) {
    Object.assign(this, { left, top, width, height });
    let free = left;
    for (const tick of this.across.ticks) {
      const x = this.x(tick);
      line([[x, top], [x, top + height]], GRID, { width: 1 });
      if (x < free || x > left + width - 24) continue;
      write(this.across.label(tick), x + 3, top + height - 4);
      free = x + 36;
    }
    // Draws only every second or third of many lines, and always that of 0.
    const { ticks, label } = this.up, each = Math.ceil(18 / Math.abs(this.y(ticks[0]) - this.y(ticks[1])));
    for (const tick of ticks) {
      if (each > 1 && Math.round(tick / (ticks[1] - ticks[0])) % each) continue;
      const y = this.y(tick);
      line([[left, y], [left + width, y]], tick ? GRID : EDGE, { width: 1 });
      if (y < top + height - 16 && y > top + 14) write(label(tick), left + 4, y - 3);
    }
  }
  /** Draws the graph of a function; `base`: the value down to which the area is filled. */
  curve(of, colour, { base, width = 3, dash } = {}) {
    const points = Array.from({ length: Math.ceil(this.width / 1.5) + 1 }, (_, index) => {
      const place = Math.min(index * 1.5 / this.width, 1);
      return [this.left + place * this.width, this.y(of(this.across.of(place)))];
    });
    line(points, colour, { width, dash, base: base === undefined ? base : this.y(base) });
  }
  /** Draws `read(moment)` of a history, the newest at the right. */
  trace(past, read, colour, options) {
    const start = this.left + this.width * (1 - (past.length - 1) / past.most), step = this.width / past.most;
    line(past.map((moment, index) => [start + index * step, this.y(read(moment))]), colour, options);
  }
}
export const plot = (across, up) => new Plot(across, up);

/** Draws the spectra of the input, as a line, and the output, as an area: -90 to 0 dB over the plot's height. */
export function spectra() {
  const sides = [['output', DEEP], ['input', EDGE]].map(([side, colour]) => [follow(`${side}.spectrum`), colour]);
  return (on) => sides.forEach(([{ data }, colour], isInput) => {
    const points = Array.from(data?.bands ?? [], (db, index) => [on.x(20 * 1000 ** (index / 119)), on.top + on.height * within(-db / 90, 0, 1)]);
    line(points, colour, isInput ? { width: 1 } : { width: 0, base: on.top + on.height });
  });
}

/** Returns the position of a parameter's knob, 0 to 1. */
export function turn(name) {
  const { value: of, minimum, maximum, curve } = parameter(name);
  const place = (curve === 'log' ? log : linear)(minimum, maximum).at(of);
  return curve === 'square' ? Math.sqrt(place) : place;
}

/** A handle on a plot, for the parameters `x` and `y`. `at()`: its place, where it is not their values; `extra`:
    what Shift or the wheel moves; `label`: what the parameters' names do not say; `isColumn`: taken hold of
    above and below, and not drawn; `isOff()`: dashed. */
export function handle(on, { mark = '', x, y, extra, at = () => [value(x), value(y)], label, isColumn = false, isOff, isHidden }) {
  const names = [x, y, extra].filter(Boolean), turns = {};
  const element = document.createElement('button');
  element.className = isColumn ? 'handle column' : 'handle';
  element.textContent = mark;
  document.body.append(element);
  const begin = () => { for (const name of names) turns[name] = turn(name); };
  const set = (name, by) => {
    turns[name] = within(turns[name] + by, 0, 1);
    parameter(name).setValue(backline.valueAt(parameter(name), turns[name]));
  };
  /** Turns a knob so that the handle follows the pointer, by the handle's move for a small turn. */
  const move = (name, by, size, spot) => {
    if (!name || !by) return;
    const one = parameter(name), kept = one.value, middle = within(turns[name], 0.005, 0.995);
    const [before, after] = [-0.005, 0.005].map((little) => { one.value = backline.valueAt(one, middle + little); return spot?.(at()); });
    one.value = kept;
    const far = (after - before) * 100;
    set(name, by / (Math.abs(far) > 0.1 * size ? far : size));
  };
  const tell = (eventType) => { for (const name of names) parameter(name).setValue(value(name), { eventType }); };
  let hold = null;
  const self = {
    element,
    away: (event) => (element.hidden ? Infinity : Math.hypot(event.clientX - self.x, (event.clientY - self.y) * (isColumn ? 0.1 : 1))),
    /** The callbacks of a drag of the handle; of two pointers, the first counts. */
    hand: {
      take(event) {
        if (hold) return;
        hold = event;
        begin();
        element.focus();
        element.setPointerCapture(event.pointerId);
        tell('touch');
      },
      move(event) {
        if (event.pointerId !== hold?.pointerId) return;
        const across = event.clientX - hold.clientX, up = hold.clientY - event.clientY, size = on.height * (event.shiftKey && !extra ? 10 : 1);
        hold = event;
        if (event.shiftKey && extra) return void move(extra, up, size);
        move(x, across, size * on.width / on.height, (spot) => on.x(spot[0]));
        move(y, up, size, (spot) => -on.y(spot[1]));
      },
      end({ pointerId }) {
        if (pointerId !== hold?.pointerId) return;
        hold = null;
        tell('release');
        draw();
      },
    },
    place(width, height) {
      self.x = within(on.x(at()[0]), 13, width - 13);
      self.y = within(on.y(at()[1]), 13, height - 13);
      Object.assign(element.style, { left: `${self.x}px`, top: `${self.y}px` });
      element.hidden = isHidden?.() ?? false;
      element.classList.toggle('off', isOff?.() ?? false);
      const says = [label, ...names.map((name) => `${parameter(name).name} ${text(name)}`)].filter(Boolean).join(', ');
      if (element.ariaLabel !== says) element.ariaLabel = says;
      if (!hold && document.activeElement !== element) return;
      write('', 0, 0);
      const wide = context.measureText(says).width, isRight = self.x + 28 + wide < width;
      const start = Math.max(isRight ? self.x + 20 : self.x - 20 - wide, 4), high = Math.max(self.y - 10, 16);
      bar(start - 4, high - 13, wide + 8, 18, '#0e1013cc');
      write(says, start, high, { colour: TEXT });
    },
  };
  element.addEventListener('wheel', (event) => {
    event.preventDefault();
    begin();
    set(extra ?? y ?? x, -event.deltaY / 4000);
  }, { passive: false });
  element.addEventListener('dblclick', () => parameter(y ?? x).setValue(parameter(y ?? x).defaultValue));
  element.addEventListener('focus', draw);
  element.addEventListener('blur', draw);
  element.addEventListener('keydown', (event) => {
    const [name, by] = { ArrowUp: [y ?? x, 1], ArrowDown: [y ?? x, -1], ArrowRight: [x ?? y, 1], ArrowLeft: [x ?? y, -1] }[event.key] ?? [];
    if (!name) return;
    event.preventDefault();
    const one = event.shiftKey && extra ? extra : name, { isWhole, minimum, maximum } = parameter(one);
    begin();
    set(one, by * (isWhole ? 1 / (maximum - minimum) : event.shiftKey && !extra ? 0.001 : 0.01));
  });
  handles.push(self);
}
/** The distance, in pixels, within which a finger drags a handle; elsewhere it scrolls. */
const REACH = 24;
// A press drags the nearest handle; with a mouse or a pen at any distance.
onGesture(window, (event) => {
  if (event.target.closest?.('.buttons')) return null;
  const nearest = handles.toSorted((one, other) => one.away(event) - other.away(event))[0];
  if (event.pointerType === 'touch' && !(nearest?.away(event) <= REACH)) return null;
  event.preventDefault();
  return nearest?.hand;
});
// A long press of a finger opens no menu.
addEventListener('contextmenu', (event) => { if (event.pointerType === 'touch') event.preventDefault(); });

/** Creates buttons at the bottom: [label, press, isDown] each. */
export function buttons(list) {
  const row = document.createElement('div');
  row.className = 'buttons';
  document.body.append(row);
  for (const [label, press, isDown] of list) {
    const button = document.createElement('button');
    button.textContent = label;
    button.addEventListener('click', press);
    row.append(button);
    const mark = () => button.setAttribute('aria-pressed', isDown());
    if (isDown) mark(tree.addParameterObserver(mark));
  }
  return row;
}
/** Creates buttons for the values of a parameter with a list of values. */
export const choices = (name) => buttons(parameter(name).values.map((label, index) => [
  label, () => parameter(name).setValue(parameter(name).minimum + index), () => choice(name) === label]));
