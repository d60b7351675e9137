import { execFile } from 'node:child_process';
import { access, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Service } from '../e2e/support/service.js';
import { PublicProxy } from './support/public-proxy.js';
import { makeRecording } from './support/recordings.js';
import { installRuntime, RUNTIMES } from './support/runtimes.js';

const PROGRAMS = fileURLToPath(new URL('./programs', import.meta.url));
const CHROMIUM = '/usr/bin/chromium';
const MIB = 2 ** 20;

interface SuiteResult {
  name: string;
  error?: string;
}

let proxy: PublicProxy;
let service: Service;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clients-'));
  proxy = await PublicProxy.start();
  service = await Service.start({ PUBLIC_URL: proxy.url, OUTBOUND_ALLOW: '127.0.0.1' });
  proxy.forwardTo(service.port);
  for (const [name, bytes] of [
    ['small.wav', 0],
    ['large.wav', 7 * MIB],
  ] as const) {
    const content = await makeRecording(bytes);
    await writeFile(join(folder, name), content);
    proxy.files.set(`/${name}`, { type: 'audio/wav', content });
  }
  await cp(PROGRAMS, join(inject('installedPackages'), 'programs'), { recursive: true });
});
afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await rm(folder, { recursive: true, force: true });
});

function expectSuccess(results: SuiteResult[]): void {
  expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(results).toHaveLength(14);
}

describe('the packed client', () => {
  it.for(RUNTIMES)('keeps its promises on $name', { timeout: 400_000 }, async (runtime, context) => {
    const installed = await installRuntime(runtime);
    if ('reason' in installed) return context.skip(installed.reason);
    const files = ['small.wav', 'large.wav', `${runtime.name}.json`].map((name) => join(folder, name));
    const script = join(inject('installedPackages'), 'programs', 'run-suite.mjs');
    const parameters = [
      ...runtime.parameters,
      script,
      service.baseUrl,
      await service.apiKey(),
      ...files,
      `${proxy.url}/small.wav`,
    ];
    const { stdout } = await promisify(execFile)(installed.path, parameters, {
      cwd: inject('installedPackages'),
      timeout: 380_000,
    });
    expectSuccess(JSON.parse(stdout) as SuiteResult[]);
  });

  it(
    'keeps its promises in Chromium, on a page of the same origin',
    { timeout: 400_000 },
    async (context) => {
      await access(CHROMIUM).catch(() => context.skip('Chromium is not installed.'));
      const dist = join(inject('installedPackages'), 'node_modules', 'zephyr-client', 'dist');
      for (const name of await readdir(dist, { recursive: true }))
        if (name.endsWith('.js'))
          proxy.files.set(`/client/${name}`, {
            type: 'text/javascript',
            content: await readFile(join(dist, name)),
          });
      const suite = await readFile(join(PROGRAMS, 'suite.mjs'), 'utf8');
      proxy.files.set('/suite.mjs', { type: 'text/javascript', content: suite });
      proxy.files.set('/page', { type: 'text/html', content: '<!doctype html><title>client</title>' });
      const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
      });
      try {
        const page = await browser.newPage();
        await page.goto(`${proxy.url}/page`);
        const program = `(async () => {
        const client = await import('/client/browser.js');
        const { runSuite } = await import('/suite.mjs');
        const [small, large] = await Promise.all(['small.wav', 'large.wav'].map(async (name) =>
          new Uint8Array(await (await fetch('/' + name)).arrayBuffer())));
        const state = client.uploadStateInStorage(localStorage, 'upload');
        const world = { client, baseUrl: location.origin, apiKey: ${JSON.stringify(await service.apiKey())} };
        return runSuite({ ...world, small, large, smallUrl: location.origin + '/small.wav', state });
      })()`;
        expectSuccess(await page.evaluate<SuiteResult[]>(program));
      } finally {
        await browser.close();
      }
    },
  );
});
