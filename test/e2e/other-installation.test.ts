import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { silentWav } from './support/audio.js';
import type { Client, CreatedJob } from './support/client.js';
import { createDataDir, removeDataDir, listStoredFiles } from './support/data-dir.js';
import { type App, type Environment, Program, runProgram } from './support/program.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const UNKNOWN_JOB = '0193a5c0-0000-7000-8000-000000000000';
const EMPTY = 'zephyr_empty';
const REJECTED_START = { code: 1, signal: null };

interface StoreReport {
  state: string;
  database: { installation_id: string; store_id: string; generation: number };
  marker: { installation_id: string; store_id: string; generation: number };
}

let service: Service;
let client: Client;
let completed: CreatedJob;
let waiting: CreatedJob;
let otherDataDir: string;

beforeAll(async () => {
  otherDataDir = await createDataDir();
  service = await Service.start({ SWEEP_SECONDS: '1', STORE_SCAN_SECONDS: '1', UNNEEDED_AUDIO_SECONDS: '1' });
  client = await service.client();
  waiting = await client.upload(silentWav(1));
  completed = await client.submit(silentWav(2));
  expect((await client.events(completed.job_id)).at(-1)?.name).toBe('completed');
  await until('the audio of the finished job is deleted', async () => (await audioFiles(completed)) === 0);
  const database = new Postgres({ connectionString: await service.databaseUrl() });
  await database.connect();
  await database.query(`CREATE DATABASE ${EMPTY}`);
  await database.end();
});
afterAll(async () => {
  await service?.stop();
  await removeDataDir(otherDataDir);
});

const audioFiles = async ({ job_id }: CreatedJob) =>
  (await listStoredFiles(service.dataDir)).filter((path) => path.includes(`audio/${job_id}`)).length;

/** Starts an additional program, which must exit with an error. @returns its output */
async function expectStartRejected(app: App, settings: Environment): Promise<string> {
  const logFile = join(otherDataDir, `${app}-${Date.now()}.log`);
  const env = { ...service.settings, PORT: String(await findFreePort()), ...settings };
  const program = Program.launch(app, [], env, logFile);
  try {
    await until('the program reports the other installation', async () =>
      (await readFile(logFile, 'utf8')).includes('belongs to another'),
    );
    expect(await program.ended).toEqual(REJECTED_START);
  } finally {
    program.kill('SIGKILL');
  }
  return readFile(logFile, 'utf8');
}

async function emptyDatabase(): Promise<string> {
  const url = new URL(await service.databaseUrl());
  url.pathname = `/${EMPTY}`;
  return url.href;
}

describe('a program on the object store of another installation', () => {
  it.each(['processor', 'api'] as const)(
    'with an empty database (%s) exits at startup and deletes no file',
    async (app) => {
      const before = (await listStoredFiles(service.dataDir)).toSorted();
      expect(before.length).toBeGreaterThan(3);
      const output = await expectStartRejected(app, { DATABASE_URL: await emptyDatabase() });
      expect(output).toMatch(/belongs to another installation.*DATABASE_URL and DATA_DIR.*store adopt --yes/);
      expect((await listStoredFiles(service.dataDir)).toSorted()).toEqual(before);
      expect((await client.download(completed.download_url)).status).toBe(200);
    },
  );
});

describe('operator commands: store', () => {
  let report: StoreReport | undefined;
  const showStore = () => service.adminJson<StoreReport>('store', 'show', '--json');

  it('store show reports whether database and object store match, and their sizes', async () => {
    report = await showStore();
    expect(report).toMatchObject({
      state: 'agreed',
      kind: 'files',
      database: { jobs: 2, transcripts: 1 },
      objects: { 'audio/': 1, 'work/': 0, 'transcripts/': 1 },
    });
    expect(report.marker).toMatchObject({
      installation_id: report.database.installation_id,
      store_id: report.database.store_id,
    });
    const settings = { ...service.settings, DATABASE_URL: await emptyDatabase() };
    const { code, stdout } = await runProgram('admin', ['store', 'show'], settings);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^This object store belongs to another installation than this database\.\n/);
    expect(stdout).toContain(report.database.installation_id);
  });

  it('store adopt describes its changes and makes none without --yes', async () => {
    const before = report ?? (await showStore());
    const settings = { ...service.settings, DATABASE_URL: await emptyDatabase() };
    const { code, stdout, stderr } = await runProgram('admin', ['store', 'adopt'], settings);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/new store id.*add --yes/s);
    expect(await showStore()).toEqual(before);
  });

  it('store orphans lists unreferenced objects, and deletes them only with --yes', async () => {
    expect(await service.adminJson('store', 'orphans', '--json')).toEqual([]);
    const settings = { ...service.settings, DATABASE_URL: await emptyDatabase() };
    const { code, stderr } = await runProgram('admin', ['store', 'orphans', 'delete', '--yes'], settings);
    expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to another installation')]);
    const before = (await listStoredFiles(service.dataDir)).toSorted();
    const orphan = join(service.dataDir, 'objects', 'objects', 'work', UNKNOWN_JOB);
    const transcripts = join(service.dataDir, 'objects', 'objects', 'transcripts', completed.job_id);
    await cp(transcripts, orphan, { recursive: true });
    for (const name of await readdir(join(orphan, 'f1'))) {
      if (!name.endsWith('@meta')) continue;
      const path = join(orphan, 'f1', name);
      await writeFile(
        path,
        (await readFile(path, 'utf8')).replaceAll(`transcripts/${completed.job_id}`, `work/${UNKNOWN_JOB}`),
      );
    }
    const listed = await service.adminJson<{ key: string }[]>('store', 'orphans', '--json');
    expect(listed).toMatchObject([{ key: `work/${UNKNOWN_JOB}/f1/document.json`, upload_id: null }]);
    const unconfirmedDeletion = await service.admin('store', 'orphans', 'delete');
    expect(unconfirmedDeletion).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^1 objects .*add --yes/),
    });
    expect(await service.adminJson('store', 'orphans', 'delete', '--yes', '--json')).toEqual({ deleted: 1 });
    expect((await listStoredFiles(service.dataDir)).toSorted()).toEqual(before);
  });

  it('doctor reports a mismatch as a problem', async () => {
    const settings = { ...service.settings, DATABASE_URL: await emptyDatabase() };
    const { code, stdout } = await runProgram('admin', ['doctor'], settings);
    expect(code).toBe(1);
    expect(stdout).toMatch(/PROBLEM {2}store identity .*another installation/);
  });
});

describe('a processor with the right database and another object store', () => {
  it('exits at startup and names the setting', async () => {
    const secret = (await readFile(join(service.dataDir, 'service-secret'), 'utf8')).trim();
    const output = await expectStartRejected('processor', {
      DATABASE_URL: await service.databaseUrl(),
      DATA_DIR: otherDataDir,
      SERVICE_SECRET: secret,
    });
    expect(output).toMatch(/belongs to another object store.*DATA_DIR \(or S3_BUCKET/);
  });

  it('takes no work from the running service, whose jobs complete', async () => {
    expect((await client.complete(waiting.job_id)).status).toBe(200);
    const { job_id } = await client.submit(silentWav(1));
    for (const id of [waiting.job_id, job_id])
      expect((await client.events(id)).at(-1)?.name).toBe('completed');
  });
});
