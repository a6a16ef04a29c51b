// One parameter: a bar to drag, a list, a switch, a button, or a reading.

import { h, menu, onLongPress, say } from './dom.js';
import { rack } from './rack.js';
import { onGesture } from './backline.gesture.js';

const TURN = 180; // pixels from a dial's lowest to its highest value

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** Returns the position of a value on the bar, 0 to 1. */
export function position({ value, minimum, maximum, curve }) {
  if (maximum <= minimum) return 0;
  const linear = clamp((value - minimum) / (maximum - minimum), 0, 1);
  if (curve === 'log') return clamp(Math.log(value / minimum) / Math.log(maximum / minimum), 0, 1);
  return curve === 'square' ? Math.sqrt(linear) : linear;
}

export function valueAt(place, { minimum, maximum, curve, isWhole }) {
  const at = clamp(place, 0, 1);
  const value = curve === 'log' ? minimum * (maximum / minimum) ** at
    : minimum + (maximum - minimum) * (curve === 'square' ? at * at : at);
  if (isWhole) return Math.round(value);
  // Limits the digits to the precision of a hand.
  const size = curve === 'log' || curve === 'square' ? Math.abs(value) : maximum - minimum;
  const scale = 10 ** (3 - Math.floor(Math.log10(size || 1)));
  return clamp(Math.round(value * scale) / scale, minimum, maximum);
}

/** Creates an element that follows a parameter; returns it and the function that ends it. `isDial`: a dial, not a bar. */
export function parameterControl(parameter, { label, isDial = false } = {}) {
  const name = label ?? parameter.name;
  const make = !parameter.isWritable ? reading
    : parameter.isMomentary ? button
      : parameter.values ? list
        : parameter.isWhole && parameter.minimum === 0 && parameter.maximum === 1 ? toggle : slider;
  const { element, show } = make(parameter, name, isDial);
  show(parameter);
  const ends = [rack.on(parameter.parameter, show), rack.on('learning', ({ to, done, error }) => {
    element.classList.toggle('learning', to === parameter.parameter && !done && !error);
  })];
  const end = () => { for (const stop of ends) stop(); };
  if (parameter.isWritable && rack.mayEdit) {
    onLongPress(element, (x, y) => openMenu(x, y, parameter));
  }
  return { element, end };
}

const modulationsOf = (path) => rack.listing.modulations.filter(({ to }) => to === path);

function openMenu(x, y, parameter) {
  const to = parameter.parameter;
  menu(x, y, [
    ...modulationsOf(to).map(({ from, depth }) =>
      [`Remove modulation by ${from}, ${depth}`, () => rack.do('unmodulate', { to, from })]),
    ['Learn a MIDI control', () => rack.do('learn', { to })],
    ['Forget MIDI controls', () => rack.do('forget', { to })],
    ['Reset', () => rack.do('reset', { parameter: to })],
  ]);
}

function reading(parameter, name) {
  const value = h('span', { class: 'value' });
  const element = h('div', { class: 'slider read', role: 'group', 'aria-label': name },
    h('span', {}, name), value);
  return {
    element,
    show: (now) => {
      value.textContent = now.text;
      element.style.setProperty('--at', position(now));
    },
  };
}

function button(parameter, name) {
  const element = h('button', { onclick: () => rack.do('set', { parameter: parameter.parameter, value: 1 }) }, name);
  return { element, show: () => {} };
}

function toggle(parameter, name) {
  const control = h('button', {
    role: 'switch', 'aria-label': name,
    onclick: () => rack.set(parameter.parameter, parameter.value >= 0.5 ? 0 : 1),
  });
  return {
    element: h('div', { class: 'choice' }, h('span', { 'aria-hidden': true }, name), control),
    show: (now) => {
      const isOn = now.value >= 0.5;
      control.textContent = isOn ? 'on' : 'off';
      control.setAttribute('aria-checked', isOn);
    },
  };
}

function list(parameter, name) {
  const control = h('select', {
    'aria-label': name,
    onchange: () => rack.set(parameter.parameter, parameter.minimum + control.selectedIndex),
  }, parameter.values.map((text) => h('option', {}, text)));
  return {
    element: h('div', { class: 'choice' }, h('span', { 'aria-hidden': true }, name), control),
    show: (now) => { control.selectedIndex = Math.round(now.value - now.minimum); },
  };
}

function slider(parameter, name, isDial) {
  const path = parameter.parameter;
  const value = h('span', { class: 'value' });
  const element = h('div', {
    class: isDial ? 'slider dial' : 'slider', role: 'slider', tabindex: 0, 'aria-label': name,
    'aria-valuemin': parameter.minimum, 'aria-valuemax': parameter.maximum,
  }, h('span', {}, name), value);
  // Shows the depth of modulations around the knob's position.
  const modulations = modulationsOf(path);
  if (modulations.length > 0) {
    const text = `modulated by ${modulations.map(({ from, depth }) => `${from}, ${depth}`).join('; ')}`;
    const reach = modulations.reduce((sum, { depth }) => sum + Math.abs(parseFloat(depth)) / 100, 0);
    element.classList.add('modulated');
    element.style.setProperty('--reach', reach);
    element.title = text;
    element.setAttribute('aria-description', text);
  }
  let shownText = '';
  let tapped = 0;

  const show = (now) => {
    element.style.setProperty('--at', position(now));
    // Until the rack has answered, the text is that of the former value.
    shownText = now.text;
    value.textContent = shownText;
    element.setAttribute('aria-valuenow', now.value);
    element.setAttribute('aria-valuetext', shownText);
  };
  const move = (by) => {
    const least = parameter.isWhole ? 1 / (parameter.maximum - parameter.minimum) : 0;
    const step = Math.sign(by) * Math.max(Math.abs(by), least);
    rack.set(path, valueAt(position(parameter) + step, parameter));
  };

  onGesture(element, (event) => {
    if (event.target.tagName === 'INPUT') return null;
    element.setPointerCapture(event.pointerId);
    let last = event, at = position(parameter);
    return {
      take: (taken) => {
        last = taken;
        rack.touch(path);
      },
      move: (moved) => {
        const by = isDial ? (last.clientY - moved.clientY) / TURN : (moved.clientX - last.clientX) / element.clientWidth;
        at = clamp(at + by / (moved.shiftKey ? 10 : 1), 0, 1);
        last = moved;
        rack.set(path, valueAt(at, parameter));
      },
      end: () => rack.release(path),
      tap: (lifted) => {
        // A long press is no tap.
        if (lifted.timeStamp - event.timeStamp > 500) return;
        // A double tap resets; a tap on the value opens an input.
        if (lifted.timeStamp - tapped < 350) {
          rack.do('reset', { parameter: path });
        } else if (isOnValue(lifted)) {
          setTimeout(() => { if (performance.now() - tapped >= 350) type(); }, 360);
        }
        tapped = lifted.timeStamp;
      },
    };
  }, { slop: 4, held: Infinity, isAnyWay: isDial });
  // A dial's value is at its foot, a bar's at its end.
  const isOnValue = ({ target, offsetX, offsetY }) => target === element && (isDial
    ? offsetY > element.clientHeight / 2 : offsetX > element.clientWidth - value.offsetWidth - 16);
  if (isDial) {
    element.addEventListener('wheel', (event) => { event.preventDefault(); move(-event.deltaY / 4000); }, { passive: false });
  }
  element.addEventListener('keydown', (event) => {
    if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 0.001 : 0.01;
    switch (event.key) {
      case 'ArrowUp': case 'ArrowRight': move(step); break;
      case 'ArrowDown': case 'ArrowLeft': move(-step); break;
      case 'PageUp': move(0.1); break;
      case 'PageDown': move(-0.1); break;
      case 'Home': rack.set(path, parameter.minimum); break;
      case 'End': rack.set(path, parameter.maximum); break;
      case 'Backspace': case 'Delete': rack.do('reset', { parameter: path }); break;
      case 'Enter': type(); break;
      default:
        if (!/^[-+\d.]$/.test(event.key)) return;
        type(event.key);
    }
    event.preventDefault();
  });

  function type(text) {
    if (element.querySelector('input')) return;
    const input = h('input', { type: 'text', 'aria-label': `${name}, in words`, value: text ?? shownText });
    // Removing a focused element fires its blur, which would remove it again.
    const remove = () => { input.removeEventListener('blur', remove); input.remove(); };
    const close = () => { remove(); element.focus(); };
    input.addEventListener('keydown', async (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') close();
      if (event.key !== 'Enter') return;
      const written = input.value;
      close();
      const answer = await rack.do('set', { parameter: path, value: written }, true);
      if (answer) {
        Object.assign(parameter, answer.value);
        show(parameter);
        say(`${name} ${answer.value.text}`);
      }
    });
    input.addEventListener('blur', remove);
    element.append(input);
    input.focus();
    if (!text) input.select();
  }

  return { element, show };
}
