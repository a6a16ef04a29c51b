// A unit that is heard before it is decided on: put into a cable, and taken out again unless it is kept.
// If the page ends meanwhile, the unit is there, and can be undone.

import { link } from './link.js';
import { rack } from './rack.js';

/** What was put in last: { name, unit, preset, into }, and the title of that step. */
let audition = null, title = '';
let turn = Promise.resolve();

/** What is heard; null if it was undone or removed elsewhere. */
export const heard = () => (audition && rack.unit(audition.name) ? audition : null);

/** One after the other, however fast the hand is. */
const inTurn = (action) => { turn = turn.then(action, action); return turn; };

async function takeOut() {
  if (!audition) return;
  const { name } = audition;
  audition = null;
  const { state, units } = await link.ask('list');
  // The last step, unless somebody has done more since.
  if (state.undo === title) await rack.do('undo', {}, true);
  else if (units.some((unit) => unit.name === name)) await rack.do('remove', { name }, true);
}

/** Puts a unit into a cable, in the place of the one that was heard before. */
export const hear = (wanted) => inTurn(async () => {
  await takeOut();
  const { name, unit, preset, into } = wanted;
  const answer = await rack.do('add', { name, unit, into, ...(preset && { preset }) });
  if (answer) [audition, title] = [wanted, answer.done];
});

export const cancel = () => inTurn(takeOut);

/** It stays; returns its name, or null where nothing is heard. */
export function keep() {
  const name = heard()?.name ?? null;
  audition = null;
  return name;
}
