/** Loaded models of this process, the one used last at the end. */
const loaded = new Map();

/** More than one job needs at once; beyond it the one that rested longest is let go. */
const MOST = 8;

/**
 * The model of these settings, loaded when it is not yet there and kept for the next request: loading takes seconds.
 *
 * @template T
 * @param {string} kind keeps models of two kinds apart that have the same settings
 * @param {object} settings
 * @param {() => T} load
 * @returns {T}
 */
export function cachedModel(kind, settings, load) {
  const key = JSON.stringify([kind, settings]);
  const model = loaded.get(key) ?? load();
  loaded.delete(key);
  loaded.set(key, model);
  for (const [oldest] of loaded) if (loaded.size > MOST) loaded.delete(oldest);
  return model;
}
