import { describe, expect, it } from 'vitest';
import { manifestOf, parseManifest } from '../manifest.js';
import { CATALOGUE } from './catalogue.js';

describe('the catalogue', () => {
  it('has no name twice', () => {
    expect(new Set(CATALOGUE.map(({ name }) => name)).size).toBe(CATALOGUE.length);
  });

  it.each(CATALOGUE.map((model) => [model.name, model] as const))('%s makes a manifest', (name, model) => {
    const manifest = manifestOf(model);
    expect(parseManifest(name, JSON.stringify(manifest))).toEqual(manifest);
    for (const { url, path } of model.files)
      expect(url.startsWith('https://') && url.endsWith(`/${path}`)).toBe(true);
  });

  it('fetches one revision, so that what is behind an address does not change', () => {
    const places = CATALOGUE.flatMap(({ files }) => files.map(({ url }) => url));
    for (const place of places)
      expect(place).toMatch(
        /\/resolve\/[0-9a-f]{40}\/|^https:\/\/github\.com\/[\w/-]+\/releases\/download\//,
      );
  });
});
