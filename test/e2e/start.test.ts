import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/bound-process.js';
import { freshDataDir, removeDataDir } from './support/data-dir.js';
import { processesOf } from './support/processes.js';
import { type Environment, Program, runToEnd } from './support/program.js';
import { until } from './support/until.js';

const GONE_MS = 60_000;

let other: Server;
let taken: number;

beforeAll(async () => {
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  taken = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => other.close());

const withDataDir = async (work: (dataDir: string) => Promise<void>) => {
  const dataDir = await freshDataDir();
  try {
    await work(dataDir);
  } finally {
    await removeDataDir(dataDir);
  }
};

const untilNothingRuns = (dataDir: string) =>
  until('no process is left', async () => (await processesOf(dataDir)).length === 0, GONE_MS);

describe('a port that is taken', () => {
  it.concurrent.each(['api', 'admin'] as const)(
    '%s: one clear line, a code that is not 0, nothing left',
    async (app) =>
      withDataDir(async (dataDir) => {
        const args = app === 'admin' ? ['start'] : [];
        const { code, stderr } = await runToEnd(app, args, { DATA_DIR: dataDir, PORT: String(taken) });
        expect(code).toBe(1);
        const lines = stderr.trim().split('\n');
        // The launcher also logs, one JSON object a line.
        expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
          expect.stringMatching(new RegExp(`^api: port ${taken} is taken.*PORT`)),
        ]);
        await untilNothingRuns(dataDir);
      }),
  );
});

describe('settings that are wrong', () => {
  it.concurrent.each<[string, Environment, string]>([
    ['a port', { PORT: 'no-number' }, 'PORT'],
    ['a database', { DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL'],
    ['a queue', { REDIS_URL: 'nonsense' }, 'REDIS_URL'],
    ['a time', { LEASE_SECONDS: '0' }, 'LEASE_SECONDS'],
    ['a secret', { SERVICE_SECRET: 'short' }, 'SERVICE_SECRET'],
  ])('%s: the start says which, in one line, before anything is made', async (_, wrong, name) =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: join(dataDir, 'data'), PORT: '1', ...wrong };
      const { code, stderr } = await runToEnd('admin', ['start'], env);
      expect(code).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain(name);
      expect(await readdir(dataDir)).toEqual([]);
    }),
  );

  it.concurrent('a secret that is not the one of this database: refused by its name', async () =>
    withDataDir(async (dataDir) => {
      const port = String(await freePort());
      const first = Program.launch('api', [], { DATA_DIR: dataDir, PORT: port }, join(dataDir, 'e2e.log'));
      await first.untilReady();
      const env = {
        DATA_DIR: dataDir,
        PORT: String(taken),
        SERVICE_SECRET: 'another secret of enough characters',
      };
      const { code, stderr } = await runToEnd('api', [], env);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^api: [^\n]*SERVICE_SECRET[^\n]*\n$/);
      expect(await first.stop()).toEqual({ code: 0, signal: null });
      await untilNothingRuns(dataDir);
    }),
  );
});

it('a stop while the service comes up: it ends in order, and nothing of it is left', async () =>
  withDataDir(async (dataDir) => {
    const env = { DATA_DIR: dataDir, PORT: String(await freePort()) };
    const service = Program.launch('admin', ['start'], env, join(dataDir, 'e2e.log'));
    const children = async () =>
      (await processesOf(dataDir)).filter(({ command }) => /apps\/(api|processor)\//.test(command));
    await until('its programs are loading', async () => (await children()).length === 2, GONE_MS);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await untilNothingRuns(dataDir);
  }));
