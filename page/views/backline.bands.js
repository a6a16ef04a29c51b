// Faces of the units that work in bands, over the spectrum: the multiband compressor, the vocoder and the denoiser.

import {
  ACCENT, EDGE, FREQUENCY, MARK, MIDI, TEXT, WARN, bar, buttons, code, follow, handle, isOn, line, linear, now, parameter, plot, show,
  spectra, toDecibels, toGain, value, write,
} from './backline.draw.js';

const BAND = [1, 2, 3, 4, 5];

const FACES = {
  // Linkwitz and Riley's bands (1976) are in phase: what passes is their sum.
  mbnd() {
    const of = (band, name) => `band${band}.${name}`, crossover = (number) => value(`crossover${number}`);
    const edge = (number) => (number < 1 ? 20 : number < now.bands ? crossover(number) : 20000);
    const middle = (band) => Math.sqrt(edge(band - 1) * edge(band));
    const isHere = (band) => band <= now.bands, isSoloed = () => BAND.some((band) => isHere(band) && isOn(of(band, 'solo')));
    const gain = (band) => {
      if (isSoloed() && !isOn(of(band, 'solo'))) return 0;
      if (isOn(of(band, 'bypass'))) return 1;
      return 1 + now.mix / 100 * (toGain(value(of(band, 'make_up')) - value(of(band, 'gain_reduction'))) - 1);
    };
    const through = (hertz) => {
      let rest = 1, sum = 0;
      for (let band = 1; band < now.bands; band += 1) {
        const fourth = (hertz / crossover(band)) ** 4;
        sum += gain(band) * rest / (1 + fourth);
        rest *= fourth / (1 + fourth);
      }
      return toDecibels(sum + gain(now.bands) * rest);
    };
    return {
      low: -60, high: 24,
      handles: [
        ...BAND.slice(1).map((band) => ({
          mark: '↔', x: `crossover${band - 1}`, at: () => [crossover(band - 1), 18], isHidden: () => !isHere(band) })),
        ...BAND.map((band) => ({
          mark: band, y: of(band, 'threshold'), extra: of(band, 'ratio'), at: () => [middle(band), value(of(band, 'threshold'))],
          isHidden: () => !isHere(band), isOff: () => isOn(of(band, 'bypass')) })),
        ...BAND.map((band) => ({
          mark: '+', y: of(band, 'make_up'), at: () => [middle(band) ** 0.7 * edge(band) ** 0.3, value(of(band, 'make_up'))],
          isHidden: () => !isHere(band) }))],
      over(area) {
        for (const band of BAND.filter(isHere)) {
          const [left, right] = [area.x(edge(band - 1)), area.x(edge(band))], taken = value(of(band, 'gain_reduction'));
          const threshold = area.y(value(of(band, 'threshold')));
          line([[left + 2, threshold], [right - 2, threshold]], MARK, { width: 1, dash: [6, 4] });
          bar(left + 2, area.y(0), right - left - 4, area.y(-taken) - area.y(0), `${WARN}66`);
          if (band < now.bands) line([[right, area.top], [right, area.top + area.height]], EDGE, { width: 1 });
          write(`${(-taken).toFixed(1)} dB`, (left + right) / 2, area.y(-52), { size: 15, align: 'center', colour: TEXT });
        }
        area.curve(through);
      },
    };
  },

  // The voice's bands, and where they sound once the formants are moved (channel_vocoder_render.c).
  voco() {
    const levels = follow('bands'), centre = (place) => 80 * 150 ** place, shift = () => 2 ** (now.formant / 12);
    return {
      low: -60, high: 24,
      handles: [
        { mark: 'F', x: 'formant', at: () => [centre(0.5) * shift(), 12] },
        { mark: 'S', x: 'pitch', y: 'level', at: () => [now.pitch, now.level] }],
      over(area) {
        const { values = [] } = levels.data ?? {}, wide = area.width * Math.log(150) / Math.log(1000) / now.bands - 2;
        values.forEach((level, band) => {
          const hertz = centre((band + 0.5) / values.length), y = area.y(level), low = area.top + area.height;
          bar(area.x(hertz * shift()) - wide / 2, y, wide, low - y, `${ACCENT}99`);
        });
        for (const end of [0, 1]) {
          const x = area.x(centre(end) * shift());
          line([[x, area.top], [x, area.top + area.height]], MIDI, { width: 1, dash: [4, 4] });
        }
        write(`${now.bands} bands`, area.width - 12, 18, { align: 'right' });
      },
    };
  },

  // What it takes away: what goes out over what comes in, on an average of some half a second.
  dnoi() {
    const [input, output] = ['input', 'output'].map((side) => {
      const means = [];
      follow(`${side}.spectrum`, ({ bands }) => bands.forEach((db, band) => { means[band] = 0.94 * (means[band] ?? db) + 0.06 * db; }));
      return means;
    });
    const press = (name) => parameter(name).setValue(isOn(name) ? 0 : 1);
    return {
      low: -48, high: 6,
      row: buttons([['Learn', () => parameter('learn').setValue(1)], ['Use what is learnt', () => press('noise'), () => isOn('noise')]]),
      handles: [{ y: 'amount', at: () => [1000, -now.amount] }],
      over(area) {
        line([[0, area.y(-now.amount)], [area.width, area.y(-now.amount)]], MARK, { width: 1, dash: [6, 4] });
        line(output.map((db, band) => [area.x(20 * 1000 ** (band / 119)), area.y(Math.min(db - input[band], 0))]), ACCENT, { base: area.y(0) });
      },
    };
  },
};

const { low, high, handles, over, row } = FACES[code]();
const area = plot(FREQUENCY, linear(low, high, 12, (db) => `${db} dB`));
const drawSpectra = spectra();
for (const one of handles) handle(area, one);
show((width, height) => {
  area.show(0, 0, width, row ? row.offsetTop - 4 : height);
  drawSpectra(area);
  over(area);
});
