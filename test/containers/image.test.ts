import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleRecording } from '../e2e/support/audio.js';
import { Client } from '../e2e/support/client.js';
import { until } from '../e2e/support/until.js';
import { findFreePort } from '../support/child-process.js';
import { Container } from './support/container.js';
import { findImagesFolder } from './support/images-folder.js';

const MEGABYTES = 1_000_000;
const START_MS = 180_000;

interface Finding {
  name: string;
  status: string;
  detail: string;
}

const folder = findImagesFolder();

describe('the images', () => {
  it.each([
    ['full', 700],
    ['slim', 350],
  ] as const)('%s is smaller than %i MB', async (variant, limit) => {
    expect((await Container.imageSize(folder, variant)) / MEGABYTES).toBeLessThan(limit);
  });
});

describe('the full image with a read-only root, without capabilities, not as root', () => {
  let container: Container;
  let client: Client;

  beforeAll(async () => {
    const [port, processorPort] = [String(await findFreePort()), String(await findFreePort())];
    container = await Container.start(folder, `zephyr-${process.pid}`, {
      variant: 'full',
      command: ['start'],
      env: { HOST: '127.0.0.1', PORT: port, PROCESSOR_PORT: processorPort },
    });
    const base = `http://127.0.0.1:${port}`;
    await until('the service is ready', async () => (await fetch(`${base}/health/ready`)).ok, START_MS).catch(
      async (error: unknown) => {
        throw new Error(await container.log(), { cause: error });
      },
    );
    client = new Client(base, (await container.exec('cat', '/data/dev-api-key')).stdout.trim());
  }, START_MS + 60_000);
  afterAll(() => container?.remove(), 120_000);

  it('transcribes the sample', async () => {
    const { job_id } = await client.submit(await sampleRecording(), { output_type: 'txt' });
    expect((await client.events(job_id)).at(-1)).toMatchObject({ name: 'completed' });
    const { download_url } = await client.job(job_id);
    expect(await (await fetch(download_url ?? '')).text()).toContain('Good morning.');
  }, 180_000);

  it('runs as a user without privileges who can write to the volume only', async () => {
    expect((await container.exec('id', '-u')).stdout.trim()).toBe('10001');
    expect((await container.exec('touch', '/opt/zephyr/x')).code).not.toBe(0);
    expect((await container.exec('touch', '/data/x')).code).toBe(0);
  });

  it('sets up the whole sandbox of media programs under the seccomp profile that is shipped', async () => {
    const { stdout } = await container.zephyr('doctor', '--json');
    const findings = JSON.parse(stdout) as Finding[];
    expect(findings.filter(({ status }) => status === 'problem')).toEqual([]);
    expect(findings.find(({ name }) => name === 'sandbox')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('own files only'),
    });
    expect(await container.log()).not.toContain('with less protection');
  });

  it('has a bill of materials of npm packages, Debian packages, Node and ffmpeg', async () => {
    const { stdout } = await container.exec('cat', '/usr/share/sbom.cdx.json');
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

  it('is healthy for the engine', async () => {
    expect(await container.isHealthy()).toBe(true);
  });
});
