/** Non-speech audio, as cached 16 kHz mono WAV files. */
import { cacheFile, hashGenerators } from './cache.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { RATE, WavWriter } from './wav.mjs';

const FULL_SCALE = 32_767;
const SEED = 1;

/**
 * @param {number} seconds
 * @returns {Promise<string>} path
 */
export function makeSilence(seconds) {
  return makeSignal('silence', { seconds }, () => 0);
}

/**
 * A steady sine.
 * @param {number} seconds
 * @param {{ hertz?: number, level?: number }} [options] level: peak, 0 to 1; 440 Hz at 0.3 by default
 * @returns {Promise<string>} path
 */
export function makeTone(seconds, { hertz = 440, level = 0.3 } = {}) {
  const step = (2 * Math.PI * hertz) / RATE;
  return makeSignal('tone', { seconds, hertz, level }, (index) => level * Math.sin(index * step));
}

/**
 * Steady white noise, always the same.
 * @param {number} seconds
 * @param {{ level?: number }} [options] level: peak, 0 to 1; 0.05 by default
 * @returns {Promise<string>} path
 */
export function makeNoise(seconds, { level = 0.05 } = {}) {
  const random = new SeededRandom(SEED);
  return makeSignal('noise', { seconds, level }, () => random.between(-level, level));
}

/**
 * @param {string} name
 * @param {{ seconds: number } & Record<string, number>} settings
 * @param {(index: number) => number} wave the sample at an index, -1 to 1; called in order
 */
async function makeSignal(name, settings, wave) {
  const from = { name, settings, generators: await hashGenerators() };
  return cacheFile({ name: `${name}-${settings.seconds}s`, extension: 'wav', from }, async (path) => {
    const out = await WavWriter.create(path);
    const total = Math.round(settings.seconds * RATE);
    while (out.length < total) {
      const start = out.length;
      const block = new Int16Array(Math.min(RATE, total - start));
      for (let i = 0; i < block.length; i++) block[i] = Math.round(wave(start + i) * FULL_SCALE);
      await out.write(block);
    }
    await out.close();
  });
}
