import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { VERSIONED_FILES } from '../../scripts/lib/release/versions.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFile(`${ROOT}${path}`, 'utf8');
const { version } = JSON.parse(await read('package.json')) as { version: string };

it('the manifests of Kubernetes run the image of this version', async () => {
  const { images } = parse(await read('deploy/kubernetes/base/kustomization.yaml')) as {
    images: { name: string; newTag: string }[];
  };
  expect(images).toEqual([{ name: 'zephyr', newTag: version }]);
});

it.each(VERSIONED_FILES)('%s names this version and no other', async (path) => {
  const named = (await read(path)).match(/(?<=zephyr[-:]|newTag: '?)\d+\.\d+\.\d+/g);
  expect(new Set(named)).toEqual(new Set([version]));
});
