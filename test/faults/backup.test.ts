import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogueWav, silentWav, synthesizeSpeech } from '../e2e/support/audio.js';
import { type Client } from '../e2e/support/client.js';
import { type Environment, Program, runProgram } from '../e2e/support/program.js';
import { until } from '../e2e/support/until.js';
import { System } from './support/system.js';

const SUBMITTED = 60;
const ENDED_MS = 300_000;
const LOCK_HELD = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND classid = 7305816`;

let source: System;
let folder: string;
let backup: string;
let clients: Client[];
/** By job: transcript and account of the jobs that completed before the backup began. */
const transcriptsBefore = new Map<string, { client: number; text: string }>();
let report: { missing_objects: number; object_bytes: number };
let stopLoad = () => Promise.resolve();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-backup-'));
  backup = join(folder, 'backup');
  source = await System.start({ queue: 'redis', apis: 2, processors: 2, env: { SMALL_FILE_BYTES: '1024' } });
  const accounts = [];
  for (const credits of [50_000, 50_000, 50_000]) accounts.push(await source.openAccount(credits));
  clients = await Promise.all(accounts.map(({ api_key }) => source.client(api_key)));
  stopLoad = await startLoad();
  await until('some jobs have completed', async () => (await listCompletedJobs()).length >= 10, ENDED_MS);
  for (const { id, at } of await listCompletedJobs())
    transcriptsBefore.set(id, {
      client: at,
      text: await readTranscript(clients[at] ?? expect.unreachable(), id),
    });
  const { code, stdout, stderr } = await runProgram('admin', ['backup', backup, '--json'], source.env);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  report = JSON.parse(stdout) as typeof report;
}, 600_000);
afterAll(async () => {
  await stopLoad();
  await source?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
}, 120_000);

/** Submits jobs of all accounts in rotation, some of which are cancelled, until it is stopped. */
async function startLoad(): Promise<() => Promise<void>> {
  const [long, short, junk] = [
    await dialogueWav(),
    await synthesizeSpeech('Good morning.'),
    new Uint8Array(3_000).fill(7),
  ];
  const kinds = [short, long, silentWav(1), junk, short];
  const stopping = new AbortController();
  const submitting = (async () => {
    for (let at = 0; at < SUBMITTED && !stopping.signal.aborted; at += 1) {
      const client = clients[at % clients.length] ?? expect.unreachable();
      const { job_id } = await client.submit(kinds[at % kinds.length] ?? short, {
        output_type: at % 2 === 0 ? 'json' : 'txt',
      });
      if (at % 9 === 0) await client.post('/jobs/cancel', { job_id });
    }
  })();
  submitting.catch(() => undefined);
  return async () => {
    stopping.abort();
    await submitting;
  };
}

async function listCompletedJobs(): Promise<{ id: string; at: number }[]> {
  const accounts = await source.queryRows<{ id: string }>(
    `SELECT id FROM account WHERE name = 'an organisation' ORDER BY created_at`,
  );
  const jobs = await source.queryRows<{ id: string; account: string }>(
    `SELECT id, account_id AS account FROM job WHERE status = 'completed'`,
  );
  return jobs.map(({ id, account }) => ({
    id,
    at: accounts.findIndex((candidate) => candidate.id === account),
  }));
}

async function readTranscript(client: Client, id: string): Promise<string> {
  return (await client.send('GET', `/api/v1/jobs/${id}/transcript?format=json`)).text;
}

const restore = (dir: string, env: Environment) => runProgram('admin', ['restore', dir, '--json'], env);

describe('a backup under load', () => {
  it('the backup contains every object that its rows need', () => {
    expect(report.missing_objects).toBe(0);
    expect(transcriptsBefore.size).toBeGreaterThanOrEqual(10);
  });

  it('a killed backup has no manifest and blocks no deletion', async () => {
    const interrupted = join(folder, 'interrupted');
    const program = Program.launch(
      'admin',
      ['backup', interrupted],
      source.env,
      join(folder, 'interrupted.log'),
    );
    await until('the backup has begun', async () => (await source.queryRows(LOCK_HELD)).length > 0);
    program.kill('SIGKILL');
    await program.ended;
    await until('the lock is released', async () => (await source.queryRows(LOCK_HELD)).length === 0);
    expect(await readdir(interrupted)).not.toContain('manifest.json');
    const { code, stderr } = await restore(interrupted, source.env);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/no finished backup/) });
  });

  it('all jobs of the source end and its invariants hold', async () => {
    await stopLoad();
    await source.waitUntilAllEnded(ENDED_MS);
    expect(await source.findInvariantViolations()).toEqual([]);
  });
});

describe('a restore of the backup to another installation', () => {
  it('a killed restore continues when it is repeated, and every job ends there', async () => {
    const copy = join(folder, 'copy');
    await cp(backup, copy, { recursive: true });
    const secrets = { SERVICE_SECRET: source.env['SERVICE_SECRET'] ?? '' };
    let restoreReport = { stages_due: 0 };
    const target = await System.start({
      queue: 'postgres',
      apis: 1,
      processors: 2,
      env: secrets,
      prepare: async (env) => {
        const first = Program.launch('admin', ['restore', copy], env, join(folder, 'restore.log'));
        const objects = join(env['DATA_DIR'] ?? '', 'objects', 'objects');
        await until('some objects are restored', async () => {
          const found = await readdir(join(objects, 'transcripts')).catch((): string[] => []);
          return found.length > 0;
        });
        first.kill('SIGKILL');
        await first.ended;
        const { code, stdout, stderr } = await restore(copy, env);
        expect({ code, stderr }).toMatchObject({ code: 0 });
        restoreReport = JSON.parse(stdout) as typeof restoreReport;
      },
    });
    try {
      expect(restoreReport.stages_due).toBeGreaterThan(0);
      await target.waitUntilAllEnded(ENDED_MS);
      expect(await target.findInvariantViolations()).toEqual([]);
      for (const [id, { client, text }] of transcriptsBefore) {
        const caller = await target.client(clients[client]?.apiKey ?? undefined);
        expect(await readTranscript(caller, id)).toBe(text);
      }
    } finally {
      await target.stop();
    }
  }, 600_000);
});
