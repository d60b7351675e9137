import { SAMPLE_RATE } from '../wav/sample-rate.js';

/** Most of mains hum, wind and rumble lies below; of a voice only the lowest part of what gives it its pitch. */
const CUTOFF_HERTZ = 120;
const MAX_SAMPLE = 32_767;

/** Sound (16 kHz mono) without its lowest part, by a Butterworth filter of the second order. */
export function highPassFilter(samples: Int16Array): Int16Array {
  const warped = Math.tan((Math.PI * CUTOFF_HERTZ) / SAMPLE_RATE);
  const scale = 1 / (1 + Math.SQRT2 * warped + warped ** 2);
  const once = 2 * (warped ** 2 - 1) * scale;
  const twice = (1 - Math.SQRT2 * warped + warped ** 2) * scale;
  const high = new Int16Array(samples.length);
  let [in1, in2, out1, out2] = [0, 0, 0, 0];
  for (let at = 0; at < samples.length; at += 1) {
    const sample = samples[at] ?? 0;
    const out = scale * (sample - 2 * in1 + in2) - once * out1 - twice * out2;
    in2 = in1;
    in1 = sample;
    out2 = out1;
    out1 = out;
    high[at] = Math.max(-MAX_SAMPLE, Math.min(MAX_SAMPLE, out));
  }
  return high;
}
