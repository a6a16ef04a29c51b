// Powers, |H|², of the analogue prototypes that filters follow; w is the frequency over the cutoff's.

export const decibels = (power) => 10 * Math.log10(power + 1e-12);
export const ratio = (n0, n1, d0, d1) => (n0 * n0 + n1 * n1) / (d0 * d0 + d1 * d1);
export const bell = (w, a, q) => ratio(1 - w * w, w * a / q, 1 - w * w, w / (a * q));

/** The ladder √(1 + k) Lⁿ / (1 + k L⁴), L = 1 / (1 + jw), of n poles, not driven; the resonance in percent. */
export function ladder(w, poles, resonance) {
  const w2 = w * w, k = 0.042 * resonance, fourth = k / (1 + w2) ** 2;
  return (1 + k) / (1 + w2) ** poles / (1 + 2 * fourth * Math.cos(4 * Math.atan(w)) + fourth * fourth);
}
/** The state-variable filter with the numerator `over`, not driven. */
export const stateVariable = (w, over, resonance) => ratio(over, 0, 1 - w * w, w * (2 - 0.0202 * resonance));
