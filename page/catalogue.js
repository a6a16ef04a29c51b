// The units that can be added, asked for once until presets have changed.

import { link } from './link.js';

let catalogue;

export const units = () => (catalogue ??= link.ask('catalogue').catch((error) => {
  catalogue = undefined;
  throw error;
}));

export const forget = () => { catalogue = undefined; };
