import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeHardenedContainer, useServiceContainer } from './hardened-container.suite.js';
import { Container } from './support/container.js';
import { findImagesFolder } from './support/images-folder.js';
import { SAMPLE_MS } from './support/service-container.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MEGABYTES = 1_000_000;
const LABEL = 'org.opencontainers.image.';

const folder = findImagesFolder();

describe('the images', () => {
  it.each([
    ['full', 700],
    ['slim', 350],
  ] as const)('%s is smaller than %i MB', async (variant, limit) => {
    expect((await Container.inspectImage(folder, variant)).Size / MEGABYTES).toBeLessThan(limit);
  });

  it.each(['full', 'slim', 'cuda'] as const)(
    '%s is labelled with its commit, with the version of that commit, and with the time of the build',
    async (variant) => {
      const { Labels: labels } = await Container.inspectImage(folder, variant);
      expect(labels).toMatchObject({ [`${LABEL}title`]: 'zephyr', 'zephyr.variant': variant });
      const [, commit = ''] = /^([0-9a-f]{40})(?:-dirty)?$/.exec(labels[`${LABEL}revision`] ?? '') ?? [];
      // Images that were kept may be those of an earlier commit.
      const git = await promisify(execFile)('git', ['show', `${commit}:package.json`], { cwd: ROOT });
      const { version } = JSON.parse(git.stdout) as { version: string };
      expect(labels[`${LABEL}version`]).toBe(version);
      const zephyr = await Container.runZephyr(folder, { variant }, '--version');
      expect(zephyr.stdout.trim()).toBe(version);
      const age = Date.now() - Date.parse(labels[`${LABEL}created`] ?? '');
      expect(age).toBeGreaterThan(0);
    },
  );
});

describe('the files of an image', () => {
  it.each(['full', 'slim', 'cuda'] as const)('%s has no settings of an installation', async (variant) => {
    const list = "fs.readdirSync('/opt/zephyr/deploy/compose').join(' ')";
    const { stdout } = await Container.runOnce(folder, variant, 'node', ['-p', list]);
    const files = stdout.trim().split(' ');
    expect(files).toContain('.env.example');
    expect(files).not.toContain('.env');
  });
});

describe('the full image with a read-only root, without capabilities, not as root', () => {
  const getService = useServiceContainer('full');

  it('transcribes the sample', { timeout: SAMPLE_MS }, async () => {
    expect(await getService().transcribeSample()).toContain('Good morning.');
  });

  describeHardenedContainer(getService);

  it('has a bill of materials of npm packages, Debian packages, Node and ffmpeg', async () => {
    const { stdout } = await getService().container.exec('cat', '/usr/share/sbom.cdx.json');
    const { components } = JSON.parse(stdout) as { components: { name: string; purl: string }[] };
    const purls = components.map(({ purl }) => purl);
    for (const prefix of [
      'pkg:npm/fastify@',
      'pkg:deb/debian/libc6@',
      'pkg:generic/node@',
      'pkg:deb/debian/ffmpeg@',
    ])
      expect(purls.filter((purl) => purl.startsWith(prefix))).not.toEqual([]);
  });
});
