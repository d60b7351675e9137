import { describe, expect, it } from 'vitest';
import { pickManifestFields, parseManifest } from '../manifest.js';
import { MODEL_CATALOGUE } from './catalogue.js';
import { RECOGNIZER_RANKS_AND_MIN_ACCURACIES } from './recognizer-ratings.js';

describe('the catalogue', () => {
  it('model names are unique', () => {
    expect(new Set(MODEL_CATALOGUE.map(({ name }) => name)).size).toBe(MODEL_CATALOGUE.length);
  });

  it.each(MODEL_CATALOGUE.map((model) => [model.name, model] as const))(
    'the entry %s is a valid manifest',
    (name, model) => {
      const manifest = pickManifestFields(model);
      expect(parseManifest(name, JSON.stringify(manifest))).toEqual(manifest);
      for (const { url, path } of model.files)
        expect(url.startsWith('https://') && url.endsWith(`/${path}`)).toBe(true);
    },
  );

  it('every recogniser has a rank of its own and a bound', () => {
    const recognizers = MODEL_CATALOGUE.filter(({ kind }) => kind === 'recognizer');
    const ranks = recognizers.map(({ rating }) => rating?.rank ?? 0);
    expect(Math.min(...ranks)).toBeGreaterThan(0);
    expect(new Set(ranks).size).toBe(ranks.length);
    expect(Object.keys(RECOGNIZER_RANKS_AND_MIN_ACCURACIES).toSorted()).toEqual(
      recognizers.map(({ name }) => name).toSorted(),
    );
  });

  it('every URL is pinned to a revision', () => {
    const urls = MODEL_CATALOGUE.flatMap(({ files }) => files.map(({ url }) => url));
    for (const place of urls)
      expect(place).toMatch(
        /\/resolve\/[0-9a-f]{40}\/|^https:\/\/github\.com\/[\w/-]+\/releases\/download\//,
      );
  });
});
