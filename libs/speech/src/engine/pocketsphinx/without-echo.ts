import { fadingOf } from '../../spectrum/echo.js';
import { BINS, HOP, reshaped, type Weigh } from '../../spectrum/reshaped.js';
import { SAMPLE_RATE } from '../../wav/sample-rate.js';

/**
 * Sound that dies away faster than this, in comparison to how it begins, is left alone: 0.8 and more without echo, and
 * around 0.7 with so little that taking it off costs words.
 */
const ECHOING = 0.65;
/** Windows by which an echo is late: about 50 ms. What is earlier belongs to the sound, to the engine as to people. */
const LATE = Math.round((0.05 * SAMPLE_RATE) / HOP);
/** Seconds after which an echo is 60 dB fainter: a room of usual size. */
const FADING_SECONDS = 0.5;
/** What of the echo is left from one window to the next; its power falls by a million in the time above. */
const STAYING = Math.exp((Math.log(1e-6) * HOP) / SAMPLE_RATE / FADING_SECONDS);
/** What of the power of earlier windows counts, so that single ones do not leave holes. */
const SMOOTHING = 0.6;
/** Nothing is made fainter than this. */
const LEAST_GAIN = 0.3;
/** Of silence. */
const LEAST_POWER = 1e-9;

/**
 * The samples (16 kHz mono) of a chunk with less of the echo of the room, when there is much: the engine's model was
 * made of speech near the microphone. Echo is taken for what was heard long enough before, dying away; it is taken off.
 */
export function withoutEcho(samples: Int16Array): Int16Array {
  const fading = fadingOf(samples);
  return fading === null || fading >= ECHOING ? samples : reshaped(samples, echoRemoval());
}

function echoRemoval(): Weigh {
  const echo = new Float64Array(BINS);
  const smooth = new Float64Array(BINS);
  const recent = Array.from({ length: LATE }, () => new Float64Array(BINS));
  let window = 0;
  return (powers, gains) => {
    const place = recent[window % LATE] ?? smooth;
    window += 1;
    for (let bin = 0; bin < BINS; bin += 1) {
      const power = powers[bin] ?? 0;
      const late = place[bin] ?? 0;
      smooth[bin] = SMOOTHING * (smooth[bin] ?? 0) + (1 - SMOOTHING) * power;
      place[bin] = smooth[bin] ?? 0;
      echo[bin] = STAYING * (echo[bin] ?? 0) + (1 - STAYING) * late;
      const own = 1 - (echo[bin] ?? 0) / (power + LEAST_POWER);
      gains[bin] = Math.max(LEAST_GAIN, Math.sqrt(Math.max(0, own)));
    }
  };
}
