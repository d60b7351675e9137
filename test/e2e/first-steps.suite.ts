import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { findJsonLines } from '../support/json-lines.js';
import { ConsoleClient } from './support/console-client.js';
import { buildEnvironment } from './support/program.js';
import type { Service } from './support/service.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The requests of somebody who has just started the service. */
export function describeFirstSteps(getService: () => Service): void {
  let service: Service;
  beforeAll(() => void (service = getService()));

  describe('the quick start', () => {
    it('the walk-through of the README runs as pasted with DATA_DIR set', async () => {
      const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
      const pasted = /```sh\n(KEY=[\s\S]*?)```/.exec(readme)?.[1] ?? '';
      expect(pasted).toContain('http://127.0.0.1:3000/');
      const commands = pasted.replaceAll('http://127.0.0.1:3000/', `${service.baseUrl}/`);
      const env = buildEnvironment({ DATA_DIR: service.dataDir });
      const { stdout } = await run('sh', ['-euc', commands], { cwd: ROOT, env, timeout: 90_000 });
      expect(stdout).toContain('event: completed');
      expect(stdout).toContain('SPEAKER_1');
    });

    it.each(['/docs/'])('%s redirects to the reference', async (path) => {
      const response = await fetch(`${service.baseUrl}${path}`, { redirect: 'manual' });
      expect(response.status).toBe(302);
      const url = new URL(response.headers.get('location') ?? '', `${service.baseUrl}${path}`);
      expect(url.href).toBe(`${service.baseUrl}/docs`);
      // Also behind a proxy that adds a path prefix.
      const below = new URL(response.headers.get('location') ?? '', `https://speech.example/zephyr${path}`);
      expect(below.href).toBe('https://speech.example/zephyr/docs');
    });

    it('startup logs the URLs of API and reference and the file of the development key, but not the key', async () => {
      const log = await service.log();
      const keyFile = join(service.dataDir, 'dev-api-key');
      expect(log).toMatch(/^zephyr \d+\.\d+\.\d+\S* is ready/m);
      expect(log).toContain(`  API        ${service.baseUrl}/api/v1\n`);
      expect(log).toContain(`  Reference  ${service.baseUrl}/docs\n`);
      expect(log).toContain(`  Guide      ${service.baseUrl}/docs/guide\n`);
      expect(log).toContain(`  API key    in ${keyFile}\n`);
      expect(findJsonLines(log, { msg: 'listening' })[0]).toMatchObject({
        address: service.baseUrl,
        reference: `${service.baseUrl}/docs`,
        developmentKeyFile: keyFile,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      });
      expect(log).not.toContain(await service.apiKey());
    });

    it('startup names the file of a link that signs the first owner in, and the link is in no log', async () => {
      const linkFile = join(service.dataDir, 'dev-sign-in-link');
      expect(await service.log()).toContain(
        `  Console    ${service.baseUrl}/console/\n  Sign in    with the link in ${linkFile}\n`,
      );
      const link = (await readFile(linkFile, 'utf8')).trim();
      expect(link).toMatch(new RegExp(`^${service.baseUrl}/console/sign-in#[\\w-]{43}$`));
      const browser = new ConsoleClient(service);
      await browser.signInByLink(link);
      expect((await browser.request('GET', 'session')).body).toMatchObject({
        user: { email: 'owner@localhost' },
        account: { name: 'development', role: 'owner' },
      });
      expect(await service.log()).not.toContain(link.split('#')[1]);
    });

    it('the operator program prints the same version as startup', async () => {
      const { code, stdout } = await service.admin('--version');
      expect(code).toBe(0);
      expect(await service.log()).toContain(`zephyr ${stdout.trim()} is ready`);
    });
  });
}
