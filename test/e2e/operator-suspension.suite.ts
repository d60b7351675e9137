import { beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, synthesizeSpeech } from './support/audio.js';
import { getConsoleJob } from './support/console-jobs.js';
import { ConsoleUsers } from './support/console-users.js';
import { expectProblem } from './support/problem.js';
import type { Service } from './support/service.js';
import { until } from './support/until.js';

/** A row of `accounts list`. */
interface Listed {
  account_id: string;
  name: string;
}

export function describeSuspension(getService: () => Service): void {
  let service: Service;
  let audio: Bytes;
  beforeAll(async () => {
    service = getService();
    audio = await synthesizeSpeech('Good morning.');
  });

  describe('operator commands: accounts', () => {
    it('accounts list shows the keys, balance and held credits of every account', async () => {
      const { account_id, api_key } = await service.openAccount(70);
      const listed = await service.adminJson<Listed[]>('accounts', 'list', '--json');
      expect(listed.find((each) => each.account_id === account_id)).toEqual({
        account_id,
        name: 'an organisation',
        keys: 1,
        balance: 70,
        held: 0,
        suspended_at: null,
        transcript_retention_days: null,
        requires_two_factors: false,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      expect(listed.map(({ name }) => name)).toContain('development');
      expect((await service.admin('accounts', 'list')).stdout).not.toContain(api_key);
    });

    it('suspending an account makes every key answer 401 while its job continues', async () => {
      const { account_id, api_key } = await service.openAccount(50);
      const caller = await service.client(api_key);
      const upload = await caller.upload(audio);
      expect((await caller.complete(upload.job_id)).status).toBe(200);

      await service.adminJson('accounts', 'suspend', account_id, '--json');
      await until('the key is refused', async () => (await caller.progress(upload.job_id)).status === 401);
      const problem = expectProblem(await caller.post('/upload', { file_size: 1 }), 401, 'invalid_api_key');
      expect(problem.detail).toContain('suspended');
      await until('its job has completed', async () => {
        const [job] = await service.query('SELECT status FROM job WHERE id = $1', [upload.job_id]);
        return job?.['status'] === 'completed';
      });

      expect(await service.adminJson('accounts', 'resume', account_id, '--json')).toEqual({
        account_id,
        suspended: false,
      });
      expect((await caller.job(upload.job_id)).status).toBe('completed');
      expect(await service.admin('accounts', 'resume', account_id)).toMatchObject({
        code: 1,
        stderr: `Account ${account_id} is not suspended.\n`,
      });
    });

    it('suspending with --cancel-jobs ends open streams and cancels the jobs, each with an event that the console shows', async () => {
      const { account_id, api_key } = await service.openAccount(50);
      const caller = await service.client(api_key);
      const { job_id } = await caller.create({ file_size: 1 });
      let open = true;
      const listening = caller.events(job_id).finally(() => (open = false));
      listening.catch(() => undefined);
      await until('the stream is served', async () => {
        const { text } = await caller.send('GET', '/metrics');
        return /^zephyr_streams\{state="served".*\} 1$/m.test(text);
      });
      await service.adminJson('accounts', 'suspend', account_id, '--json');
      await until('the stream has ended', () => !open);
      expect(await service.adminJson('accounts', 'suspend', account_id, '--cancel-jobs', '--json')).toEqual({
        account_id,
        suspended: true,
        jobs_cancelled: 1,
      });
      const owner = await new ConsoleUsers(service, account_id).createWithPassword('suspended@example.org');
      expect(await getConsoleJob(owner, job_id)).toMatchObject({
        status: 'failed',
        failed_stage: 'cancelled',
      });
      const { body } = await owner.request('GET', `audit?target=${job_id}`);
      expect(body).toMatchObject({ events: [{ action: 'job.cancelled', actor: { kind: 'operator' } }] });
      const listed = await service.adminJson('audit', '--target', job_id, '--json');
      expect(listed).toMatchObject([{ action: 'job.cancelled', account_id, target: job_id }]);
    });
  });
}
