// The units that can be added, requested once until presets change.

import { link } from './link.js';

let catalogue;

export const units = () => (catalogue ??= link.ask('catalogue').catch((error) => {
  catalogue = undefined;
  throw error;
}));

export const forget = () => { catalogue = undefined; };
