/** Loaded models of this process, least recently used first. */
const loaded = new Map();

/** More than one job needs at once. */
const MAX_LOADED_MODELS = 8;

/**
 * The model for these settings, from the cache or loaded, which takes seconds. Evicts the least recently used one.
 *
 * @template T
 * @param {string} kind separates models of two kinds that have the same settings
 * @param {object} settings
 * @param {() => T} load
 * @returns {T}
 */
export function cachedModel(kind, settings, load) {
  const key = JSON.stringify([kind, settings]);
  const model = loaded.get(key) ?? load();
  loaded.delete(key);
  loaded.set(key, model);
  for (const [oldest] of loaded) if (loaded.size > MAX_LOADED_MODELS) loaded.delete(oldest);
  return model;
}

/** The library's audio input: 16 kHz samples from -1 to 1. @param {Int16Array} samples */
export function toWaveform(samples) {
  return { samples: Float32Array.from(samples, (sample) => sample / 32768), sampleRate: 16000 };
}
