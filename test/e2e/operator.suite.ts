import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, synthesizeSpeech } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { expectContiguous } from './support/events.js';
import type { Account } from './support/running-service.js';
import type { Service } from './support/service.js';
import { until } from './support/until.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

export function describeOperator(getService: () => Service): void {
  let service: Service;
  let client: Client;
  let audio: Bytes;
  let account: Account;

  beforeAll(async () => {
    service = getService();
    client = await service.client();
    audio = await synthesizeSpeech('Good morning.');
    account = await service.adminJson<Account>('accounts', 'create', 'an organisation', '--credits', '50');
  });

  describe('operator commands: accounts and keys', () => {
    it('accounts create prints an account and a working key', async () => {
      expect(account).toEqual({
        account_id: expect.stringMatching(/^[\da-f-]{36}$/),
        api_key: expect.any(String),
      });
      const created = await (await service.client(account.api_key)).create({ file_size: 1 });
      expect(created.job_id).toMatch(/^[\da-f-]{36}$/);
    });

    it('keys create, list and revoke show the secret once and revoke the key', async () => {
      const { account_id } = account;
      const key = await service.adminJson<{ key_id: string; api_key: string }>(
        ...['keys', 'create', '--account', account_id, '--name', 'a second one'],
      );
      const listKeys = async () => {
        const { stdout } = await service.admin('keys', 'list', '--account', account_id, '--json');
        expect(stdout).not.toContain(key.api_key);
        return JSON.parse(stdout) as { key_id: string; name: string; revoked_at: string | null }[];
      };
      const listed = await listKeys();
      expect(listed).toHaveLength(2);
      expect(listed).toContainEqual(
        expect.objectContaining({ key_id: key.key_id, name: 'a second one', revoked_at: null }),
      );
      expect(await service.adminJson('keys', 'revoke', key.key_id, '--json')).toEqual({
        key_id: key.key_id,
        revoked: true,
      });
      const revoked = (await listKeys()).find(({ key_id }) => key_id === key.key_id);
      expect(revoked?.revoked_at).toMatch(/^\d{4}-\d\d-\d\dT/);
      const repeatedRevoke = await service.admin('keys', 'revoke', key.key_id);
      expect(repeatedRevoke).toMatchObject({ code: 1, stderr: `There is no valid key ${key.key_id}.\n` });
    });
  });

  describe('operator commands: jobs', () => {
    it('jobs list and show report the history of a job, and jobs retry rejects an ended or unstarted job', async () => {
      const pending = await client.create({ file_size: 1 });
      const { job_id } = await client.submit(audio);
      await client.events(job_id);
      const list = await service.adminJson<{ job_id: string; status: string }[]>('jobs', 'list', '--json');
      expect(list.map(({ job_id: id, status }) => `${id} ${status}`).slice(0, 2)).toEqual([
        `${job_id} completed`,
        `${pending.job_id} processing`,
      ]);
      const completed = await service.adminJson<unknown[]>(
        'jobs',
        'list',
        '--status',
        'completed',
        '--limit',
        '1',
        '--json',
      );
      expect(completed).toMatchObject([{ job_id, status: 'completed' }]);

      const details = await service.adminJson<{ stages: unknown[]; events: unknown[] }>(
        'jobs',
        'show',
        job_id,
        '--json',
      );
      expect(details).toMatchObject({
        job_id,
        status: 'completed',
        failed_stage: null,
        duration: expect.any(Number),
      });
      expect(details.stages).toContainEqual(
        expect.objectContaining({ name: 'aggregation', state: 'done', attempts: 1 }),
      );
      expect(details.events.at(-1)).toMatchObject({ type: 'completed' });

      const ended = await service.admin('jobs', 'retry', job_id);
      expect(ended).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^Job .* completed.*\n$/),
      });
      const earlyRetry = await service.admin('jobs', 'retry', pending.job_id);
      expect(earlyRetry).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^Job .* waits.*\n$/),
      });
    });

    it('jobs cancel ends a job and releases its hold, and jobs list filters by account', async () => {
      const other = await service.openAccount(50);
      const caller = await service.client(other.api_key);
      const job_id = await service.whileStopped('processor', async () => {
        const created = await caller.submit(audio);
        expect(await service.adminJson('jobs', 'cancel', created.job_id, '--json')).toEqual({
          job_id: created.job_id,
          status: 'failed',
          failed_stage: 'cancelled',
        });
        return created.job_id;
      });
      expect((await caller.events(job_id)).at(-1)).toMatchObject({
        name: 'failed',
        data: { step: 'cancelled' },
      });
      const list = (...filters: string[]) =>
        service.adminJson<{ job_id: string; account_id: string }[]>(
          ...['jobs', 'list', '--account', other.account_id, '--json', ...filters],
        );
      expect((await list()).map((row) => row.job_id)).toEqual([job_id]);
      expect(await list('--status', 'failed')).toHaveLength(1);
      expect(await list('--status', 'completed')).toEqual([]);
      expect(expectStatus(200, await caller.send('GET', '/api/v1/account'))).toMatchObject({
        credits: { balance: 50, held: 0 },
      });
      expect(await service.admin('jobs', 'cancel', job_id)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `Job ${job_id} has failed: nothing is left to cancel.\n`,
      });
    });

    it('jobs delete deletes a job with its transcript, and a processor its objects', async () => {
      const { job_id } = await client.submit(audio);
      await client.events(job_id);
      const countFiles = async () =>
        (await readdir(service.dataDir, { recursive: true })).filter((path) => path.includes(job_id)).length;
      expect(await countFiles()).toBeGreaterThan(0);
      expect(await service.adminJson('jobs', 'delete', job_id, '--json')).toEqual({
        job_id,
        status: 'deleted',
      });
      expect((await client.send('GET', `/api/v1/jobs/${job_id}`)).status).toBe(404);
      await until('its objects are deleted', async () => (await countFiles()) === 0, 60_000);
      expect(await service.admin('jobs', 'delete', job_id)).toMatchObject({
        code: 1,
        stderr: `There is no job ${job_id}.\n`,
      });
    });

    it('jobs retry restarts the open stages of a stuck job, which still ends once', async () => {
      const job_id = await service.whileStopped('processor', async () => {
        const created = await client.submit(audio);
        expect(await service.adminJson('jobs', 'retry', created.job_id, '--json')).toEqual({
          job_id: created.job_id,
          stages: ['preprocess'],
        });
        return created.job_id;
      });
      const events = await client.events(job_id);
      expectContiguous(events);
      expect(events.at(-1)?.name).toBe('completed');
    });
  });

  describe('operator commands: doctor and migrate', () => {
    it('doctor reports on every dependency', async () => {
      const { code, stdout } = await service.admin('doctor', '--json');
      const findings = JSON.parse(stdout) as { name: string; status: string; advice: string | null }[];
      const byName = Object.fromEntries(findings.map(({ name, status }) => [name, status]));
      for (const name of [
        'node',
        'ffmpeg',
        'engine',
        'data folder',
        'database',
        'queue',
        'object store',
        'api',
      ])
        expect(byName[name], stdout).toBe('ok');
      // The engine works, and a better one could be installed.
      for (const { name, status, advice } of findings)
        if (name !== 'engine') expect(advice === null, name).toBe(status === 'ok');
      expect(code).toBe(findings.some(({ status }) => status === 'problem') ? 1 : 0);
    });

    it('migrate is idempotent, and the entities match the schema', async () => {
      expect(await service.adminJson('migrate', '--json')).toEqual({
        applied: [],
        known: expect.any(Number),
      });
      expect((await service.admin('migrate', '--drift')).code).toBe(0);
    });
  });

  describe('invalid operator commands', () => {
    /** @returns what it prints on stderr */
    const expectRejected = async (...args: string[]) => {
      const { code, stdout, stderr } = await service.admin(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trim()).toMatch(/\w/);
      expect(stderr).not.toMatch(/node_modules|\bat .+:\d+|SELECT|QueryFailed/);
      return stderr;
    };

    it.concurrent.each([
      ['an unknown command', ['fly']],
      ['an unknown subcommand', ['jobs', 'fly']],
      ['an unknown option', ['jobs', 'list', '--fly']],
      ['a missing argument', ['jobs', 'show']],
      ['a missing account, where there are several', ['keys', 'create']],
      ['an invalid number', ['accounts', 'create', 'x', '--credits', '-5']],
      ['an invalid status', ['jobs', 'list', '--status', 'sleeping']],
      ['an unknown job to cancel', ['jobs', 'cancel', UNKNOWN]],
      ['an unknown account to suspend', ['accounts', 'suspend', UNKNOWN]],
      ['the jobs of an unknown account', ['jobs', 'list', '--account', UNKNOWN]],
      ['an invalid job id', ['jobs', 'retry', 'x']],
      ['an unknown account', ['keys', 'create', '--account', UNKNOWN]],
      ['an unknown key', ['keys', 'revoke', 'x']],
    ])('%s exits with 1, an error on stderr and nothing on stdout', async (_, args) => {
      await expectRejected(...args);
    });

    it('a group alone prints the usage, with the commands as they are typed', async () => {
      expect(await expectRejected('keys')).toContain(
        'Usage: npm run --silent admin -- keys [options] [command]\n',
      );
    });

    it('a command without a required account lists the accounts', async () => {
      const { stderr } = await service.admin('webhooks', 'secret', 'reveal');
      expect(stderr).toMatch(
        /^Give --account, as there are \d+ accounts: [\da-f-]{36} \(development\), .*\.\n$/,
      );
    });

    it('an unknown job is rejected in one line', async () => {
      expect(await expectRejected('jobs', 'show', UNKNOWN)).toBe(`There is no job ${UNKNOWN}.\n`);
    });
  });
}
