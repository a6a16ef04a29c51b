// Audition of a unit: it is inserted into a cable, and removed again unless it is kept.
// If the page is closed meanwhile, the unit stays, and can be undone.

import { link } from './link.js';
import { rack } from './rack.js';

/** The unit that was inserted last: { name, unit, preset, into }, and the title of that step. */
let audition = null, title = '';
let turn = Promise.resolve();

/** Returns the auditioned unit; null if it was undone or removed elsewhere. */
export const heard = () => (audition && rack.unit(audition.name) ? audition : null);

const inTurn = (action) => { turn = turn.then(action, action); return turn; };

async function takeOut() {
  if (!audition) return;
  const { name } = audition;
  audition = null;
  const { state, units } = await link.ask('list');
  // Undoes the insertion if that is still the last step; otherwise removes the unit.
  if (state.undo === title) await rack.do('undo', {}, true);
  else if (units.some((unit) => unit.name === name)) await rack.do('remove', { name }, true);
}

/** Inserts a unit into a cable, in place of the unit auditioned before. */
export const hear = (wanted) => inTurn(async () => {
  await takeOut();
  const { name, unit, preset, into } = wanted;
  const answer = await rack.do('add', { name, unit, into, ...(preset && { preset }) });
  if (answer) [audition, title] = [wanted, answer.done];
});

export const cancel = () => inTurn(takeOut);

/** Keeps the auditioned unit; returns its name, or null without one. */
export function keep() {
  const name = heard()?.name ?? null;
  audition = null;
  return name;
}
