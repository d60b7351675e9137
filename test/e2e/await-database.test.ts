import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { createDataDir, removeDataDir } from './support/data-dir.js';
import { type App, type Environment, Program, runProgram } from './support/program.js';
import { until } from './support/until.js';

const MAX_SHUTDOWN_MS = 5_000;
const WAITING = /"msg":"waiting for Postgres"/g;

let postgres: PrivatePostgres;
let dataDir: string;
let env: Environment;
beforeAll(async () => {
  postgres = await startPrivatePostgres();
  await postgres.crash();
});
afterAll(() => postgres?.remove());
beforeEach(async () => {
  dataDir = await createDataDir();
  env = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    PORT: String(await findFreePort()),
    DRAIN_SECONDS: '0',
  };
});
afterEach(() => removeDataDir(dataDir));

const countWaitingMessages = async ({ logFile }: Program) =>
  (await readFile(logFile, 'utf8')).match(WAITING)?.length ?? 0;

async function startWaitingProgram(app: App, args: string[], overrides: Environment = {}): Promise<Program> {
  const program = Program.launch(app, args, { ...env, ...overrides }, join(dataDir, `${app}.log`));
  await until(`${app} logs that it waits`, async () => (await countWaitingMessages(program)) > 0);
  return program;
}

describe('while Postgres is not yet available', () => {
  it.each<[App, string[]]>([
    ['api', []],
    ['processor', []],
    ['admin', ['start']],
  ])('%s waits for Postgres, and SIGTERM stops it at once', async (app, args) => {
    const program = await startWaitingProgram(app, args);
    const startedAt = performance.now();
    expect(await program.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(MAX_SHUTDOWN_MS);
  });

  it('a program exits after STARTUP_WAIT_SECONDS without a database, with one line that names the setting', async () => {
    const { code, stderr } = await runProgram('api', [], { ...env, STARTUP_WAIT_SECONDS: '2' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^api: [^\n]*2 seconds[^\n]*DATABASE_URL[^\n]*STARTUP_WAIT_SECONDS[^\n]*\n$/);
  });

  it('an operator command fails without waiting', async () => {
    const { code, stderr } = await runProgram('admin', ['accounts', 'create', 'x'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^[^\n]*ECONNREFUSED[^\n]*\n$/);
  });
});

it('a waiting program logs every few seconds and starts once Postgres is available', async () => {
  const program = await startWaitingProgram('api', []);
  await until('the message is logged again', async () => (await countWaitingMessages(program)) > 1);
  await postgres.start();
  await program.waitUntilReady();
  expect(await program.stop()).toEqual({ code: 0, signal: null });
});

describe('database errors that waiting cannot resolve', () => {
  beforeAll(() => postgres.start().catch(() => undefined));

  it.each([
    ['an unknown database', 'pathname', '/nowhere', 'database "nowhere" does not exist'],
    ['an unknown user', 'username', 'stranger', 'role "stranger" does not exist'],
  ] as const)('%s ends startup at once with one line', async (_, part, value, message) => {
    const url = new URL(postgres.url);
    url[part] = value;
    const { code, stdout, stderr } = await runProgram('api', [], { ...env, DATABASE_URL: url.href });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^api: [^\n]*DATABASE_URL[^\n]*\n$/);
    expect(stderr).toContain(message);
  });
});
