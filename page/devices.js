// Devices: the browsers that may connect, and invitations for others.

import { h, svg, say } from './dom.js';
import { link } from './link.js';
import { rack } from './rack.js';

/** The links that were requested last, kept when the view is built again. */
let invitation = null;

/** Returns the drawing of a QR code from rows of '0' and '1', with the margin that readers need. */
function code(rows) {
  const dark = rows.flatMap((row, y) => [...row].map((module, x) => (module === '1' ? `M${x} ${y}h1v1h-1z` : '')));
  return svg('svg', { class: 'code', 'shape-rendering': 'crispEdges', role: 'img', 'aria-label': 'QR code of the link',
    viewBox: `-4 -4 ${rows.length + 8} ${rows.length + 8}` }, svg('path', { d: dark.join('') }));
}

function describe({ role, since, isConnected, isThis }) {
  const day = new Date(since * 1000).toLocaleDateString();
  return [role === 'edit' ? 'edits' : 'plays', `since ${day}`, isConnected ? 'connected' : 'not connected',
    ...(isThis ? ['this device'] : [])].join(', ');
}

export function devicesView(place) {
  const list = h('ul', { class: 'list', 'aria-label': 'Devices' });
  const links = h('div', { role: 'status' });
  const reach = h('p', { class: 'dim' });
  let count, timer;

  const showLinks = () => {
    clearTimeout(timer);
    const left = invitation ? invitation.end - Date.now() : 0;
    if (left <= 0) { invitation = null; links.replaceChildren(); return; }
    timer = setTimeout(showLinks, left);
    links.replaceChildren(
      h('p', {}, `A device that opens this link ${invitation.role === 'edit' ? 'edits' : 'plays'}. The link works once, until ${new Date(invitation.end).toLocaleTimeString()}.`),
      h('div', { class: 'row' }, invitation.links.map((one) => h('figure', {}, code(one.code), h('figcaption', {}, one.link)))));
  };
  const invite = async (role) => {
    const answer = await rack.do('invite', { role });
    if (!answer) return;
    invitation = { role, links: answer.links, end: Date.now() + answer.seconds * 1000 };
    showLinks();
  };
  const row = (device) => {
    const text = describe(device);
    return h('li', { class: 'row spread' },
      h('span', {}, h('strong', {}, device.name), ' ', h('span', { class: 'dim' }, text)),
      h('button', { 'aria-label': `Revoke ${device.name}, ${text}`, 'data-device': device.id,
        onclick: () => rack.do('revoke', { device: device.id }) }, 'Revoke'));
  };
  const show = async () => {
    try {
      const { devices, servesNetwork } = await link.ask('devices');
      if (devices.length > count) { invitation = null; showLinks(); }
      count = devices.length;
      const focused = list.contains(document.activeElement) && document.activeElement.dataset.device;
      list.replaceChildren(...devices.map(row));
      if (focused) (list.querySelector(`[data-device="${focused}"]`) ?? plays).focus();
      reach.textContent = servesNetwork ? '' : 'The page is served to this machine only; with backline run --page-lan it is served to tablets and telephones in the network, too.';
    } catch (error) { if (link.isOpen) say(error.message, true); }
  };
  const follow = ({ detail }) => { if (detail.event === 'devices') show(); };
  const plays = h('button', { onclick: () => invite('stage') }, 'Invite to play');
  place.append(h('h2', {}, 'Devices'), h('p', {}, 'These browsers find the rack by themselves until they are revoked.'), list,
    h('h3', {}, 'Another device'),
    h('div', { class: 'row' }, plays, h('button', { onclick: () => invite('edit') }, 'Invite to edit')), reach, links);
  link.addEventListener('event', follow);
  show();
  showLinks();
  return () => { clearTimeout(timer); link.removeEventListener('event', follow); };
}
