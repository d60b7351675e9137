import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { createDataDir, removeDataDir } from './support/data-dir.js';
import { findProcesses } from './support/processes.js';
import { type Environment, Program, runProgram } from './support/program.js';
import { createSharedDatabase } from './support/shared-postgres.js';
import { until } from './support/until.js';

const EXIT_TIMEOUT_MS = 60_000;

let listener: Server;
let usedPort: number;

beforeAll(async () => {
  listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  usedPort = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => listener.close());

/** @param action gets the settings of a database that starts faster than an embedded one */
const withSharedDatabase = async <T>(action: (settings: Environment) => Promise<T>): Promise<T> => {
  const database = await createSharedDatabase();
  try {
    return await action(database ? { DATABASE_URL: database.url } : {});
  } finally {
    await database?.drop();
  }
};

const withDataDir = async (action: (dataDir: string) => Promise<void>) => {
  const dataDir = await createDataDir();
  try {
    await action(dataDir);
  } finally {
    await removeDataDir(dataDir);
  }
};

const waitUntilAllExited = (dataDir: string) =>
  until('no process is left', async () => (await findProcesses(dataDir)).length === 0, EXIT_TIMEOUT_MS);

describe('startup on a port in use', () => {
  it.concurrent.each(['api', 'admin'] as const)(
    '%s exits with one clear line and a non-zero code, and no process is left',
    async (app) =>
      withDataDir(async (dataDir) => {
        const env = { DATA_DIR: dataDir, PORT: String(usedPort) };
        const { code, stderr } =
          app === 'admin'
            ? await runProgram(app, ['start'], env)
            : await withSharedDatabase((database) => runProgram(app, [], { ...env, ...database }));
        expect(code).toBe(1);
        const lines = stderr.trim().split('\n');
        // The launcher also logs one JSON object per line.
        expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
          expect.stringMatching(new RegExp(`^api: port ${usedPort} is taken.*PORT`)),
        ]);
        await waitUntilAllExited(dataDir);
      }),
  );
});

describe('startup with invalid settings', () => {
  it.concurrent.each<[string, Environment, string]>([
    ['a port', { PORT: 'no-number' }, 'PORT'],
    ['a database', { DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL'],
    ['a queue', { REDIS_URL: 'nonsense' }, 'REDIS_URL'],
    ['a time', { LEASE_SECONDS: '0' }, 'LEASE_SECONDS'],
    ['a secret', { SERVICE_SECRET: 'short' }, 'SERVICE_SECRET'],
  ])('%s is named in one line before anything is created', async (_, invalidEnv, name) =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: join(dataDir, 'data'), PORT: '1', ...invalidEnv };
      const { code, stderr } = await runProgram('admin', ['start'], env);
      expect(code).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain(name);
      expect(await readdir(dataDir)).toEqual([]);
    }),
  );

  it.concurrent('a service secret that does not match the database is rejected by name', async () =>
    withDataDir((dataDir) =>
      withSharedDatabase(async (database) => {
        const settings = { ...database, DATA_DIR: dataDir };
        const port = String(await findFreePort());
        const first = Program.launch('api', [], { ...settings, PORT: port }, join(dataDir, 'e2e.log'));
        await first.waitUntilReady();
        const env = {
          ...settings,
          PORT: String(usedPort),
          SERVICE_SECRET: 'another secret of enough characters',
        };
        const { code, stderr } = await runProgram('api', [], env);
        expect(code).toBe(1);
        expect(stderr).toMatch(/^api: [^\n]*SERVICE_SECRET[^\n]*\n$/);
        expect(await first.stop()).toEqual({ code: 0, signal: null });
        await waitUntilAllExited(dataDir);
      }),
    ),
  );
});

it('a stop during startup shuts down gracefully, and no process is left', async () =>
  withDataDir(async (dataDir) => {
    const env = { DATA_DIR: dataDir, PORT: String(await findFreePort()) };
    const service = Program.launch('admin', ['start'], env, join(dataDir, 'e2e.log'));
    const findChildren = async () =>
      (await findProcesses(dataDir)).filter(({ command }) => /apps\/(api|processor)\//.test(command));
    await until('its programs are loading', async () => (await findChildren()).length === 2, EXIT_TIMEOUT_MS);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await waitUntilAllExited(dataDir);
  }));
