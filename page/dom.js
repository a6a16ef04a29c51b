// Elements, the status line and the menu.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('aria-') && typeof value === 'boolean') element.setAttribute(name, `${value}`);
    else if (value === undefined || value === null || value === false) continue;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'disabled' || name === 'hidden' || name === 'checked' || name === 'selected') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Creates an element: h('button', { class: 'small', onclick: press }, 'Press'). */
export const h = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

let sayTimer;

/** Shows a sentence for a while, also to screen readers. */
export function say(text, isBad = false) {
  const line = document.getElementById('say');
  line.textContent = text;
  line.className = isBad ? 'bad' : '';
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => { line.textContent = ''; }, isBad ? 8000 : 4000);
}

/** Shows a menu at a position of the screen: [['Reset', reset], …]. */
export function menu(x, y, entries) {
  document.querySelector('.menu')?.remove();
  const before = document.activeElement;
  let isOpen = true;
  const remove = () => { if (isOpen) { isOpen = false; list.remove(); } };
  const close = () => { remove(); before?.focus?.(); };
  const list = h('div', {
    class: 'menu', role: 'menu',
    onkeydown: (event) => {
      const all = [...list.children], at = all.indexOf(document.activeElement);
      if (event.key === 'Escape') close();
      else if (event.key === 'ArrowDown') all[(at + 1) % all.length].focus();
      else if (event.key === 'ArrowUp') all[(at + all.length - 1) % all.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onfocusout: (event) => { if (!list.contains(event.relatedTarget)) remove(); },
  }, entries.map(([text, action]) =>
    h('button', { role: 'menuitem', class: 'plain', onclick: () => { close(); action(); } }, text)));
  document.body.append(list);
  list.style.left = `${Math.max(0, Math.min(x, innerWidth - list.offsetWidth - 8))}px`;
  list.style.top = `${Math.max(0, Math.min(y, innerHeight - list.offsetHeight - 8))}px`;
  list.firstChild.focus();
}

/**
 * Returns a form for a name: `action` gets the name, `text` returns the button's label. Escape calls `cancel`.
 */
export function nameForm({ label, placeholder, value = '', text, action, cancel }) {
  const button = h('button', {}, text(value));
  const input = h('input', {
    'aria-label': label, placeholder, value, required: true, maxlength: 80,
    oninput: () => { button.textContent = text(input.value.trim()); },
  });
  return h('form', {
    class: 'row',
    onsubmit: (event) => { event.preventDefault(); if (input.value.trim()) action(input.value.trim()); },
    onkeydown: (event) => { if (event.key === 'Escape') cancel?.(); },
  }, input, button, cancel ? h('button', { type: 'button', onclick: cancel }, 'Cancel') : null);
}

/** Calls `action` after a long press, a right click or the menu key. */
export function onLongPress(element, action) {
  let timer, start, actedAt = -Infinity, hasActed = false;
  const stop = () => clearTimeout(timer);
  element.addEventListener('pointerdown', (event) => {
    stop();
    [start, hasActed] = [event, false];
    timer = setTimeout(() => {
      [hasActed, actedAt] = [true, performance.now()];
      action(start.clientX, start.clientY);
    }, 600);
  });
  for (const name of ['pointerup', 'pointercancel', 'pointerleave']) element.addEventListener(name, stop);
  element.addEventListener('pointermove', (event) => {
    // A resting finger moves a little.
    if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 8) stop();
  });
  // After a long press, lifting the finger is no click and does not take the focus from the menu.
  element.addEventListener('touchend', (event) => { if (hasActed) event.preventDefault(); });
  element.addEventListener('click', (event) => {
    if (hasActed && event.detail) { event.stopPropagation(); event.preventDefault(); }
    hasActed = false;
  }, true);
  element.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    stop();
    // A touch may cause both a timer and a contextmenu event.
    if (performance.now() - actedAt < 1000) return;
    hasActed = event.pointerType === 'touch';
    const box = element.getBoundingClientRect();
    action(event.clientX || box.left, event.clientY || box.bottom);
  });
}
