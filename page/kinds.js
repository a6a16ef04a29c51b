// The kinds of units: each has a colour (`--kind-drive` in page.css) and a sign.

const SIGNS = {
  drive: 'M3 12h4l3-7 4 14 3-7h4',
  dynamics: 'M3 17h6l6-9h6',
  tone: 'M3 12c4 0 4-6 8-6s4 12 8 12h2',
  modulation: 'M2 12c2.5-8 5-8 7.5 0s5 8 7.5 0 3-6 5-4',
  time: 'M12 3a9 9 0 1 0 9 9M12 7v5l4 2',
  space: 'M3 19V5c6 0 10 6 18 14',
  pitch: 'M9 18V5l10-2v13M9 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0M19 16a3 3 0 1 1-6 0 3 3 0 0 1 6 0',
  instrument: 'M4 6h16v12H4zM9 6v7M15 6v7',
  midi: 'M12 3a9 9 0 1 0 .1 0M8 12h.01M12 8h.01M16 12h.01M12 16h.01',
  utility: 'M6 4v16M12 4v16M18 4v16M4 14h4M10 8h4M16 12h4',
};

/** The first tag that is one of these decides. */
const KINDS = {
  amp: 'drive', distortion: 'drive', fuzz: 'drive', dynamics: 'dynamics', cabinet: 'space', convolution: 'space',
  reverb: 'space', tone: 'tone', filter: 'tone', delay: 'time', time: 'time', modulation: 'modulation', pitch: 'pitch',
  sampler: 'instrument', synthesizer: 'instrument', space: 'space',
};

/** Returns the kind of a unit by its component and tags. */
export function kindOf(component, tags) {
  if (component?.startsWith('aumi')) return 'midi';
  if (component?.startsWith('aumu')) return 'instrument';
  return tags.map((tag) => KINDS[tag.toLowerCase()]).find(Boolean) ?? 'utility';
}

export const signOf = (kind) => SIGNS[kind];
