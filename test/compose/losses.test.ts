import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogueWav } from '../e2e/support/audio.js';
import { expectContiguous, followThroughDisconnects } from '../e2e/support/events.js';
import { until } from '../e2e/support/until.js';
import { CREDITS, SplitInstallation, UP_MS } from './support/split-installation.js';

const JOBS = 5;
const FEW_JOBS = 2;
const JOB_MS = 400_000;

interface Statement {
  balance: string | number;
  held: string | number;
  entries: { kind: string; job_id: string | null; amount: string | number }[];
}

let installation: SplitInstallation;

beforeAll(async () => {
  installation = await SplitInstallation.start();
  await installation.startObservability();
}, UP_MS);
afterAll(() => installation?.remove(), UP_MS);

async function kill(...services: string[]): Promise<void> {
  await installation.operator.daemon.docker('kill', ...(await installation.findContainers(...services)));
}

/** Of the first process of each container, with which it ends. */
async function crash(...services: string[]): Promise<void> {
  const containers = await installation.findContainers(...services);
  const pids = await installation.operator.daemon.docker(
    'inspect',
    '--format',
    '{{.State.Pid}}',
    ...containers,
  );
  for (const pid of pids.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
}

async function isRunning(service: string): Promise<boolean> {
  const format = '{{.State.Running}}';
  const [container = ''] = await installation.findContainers(service);
  return (
    (await installation.operator.daemon.docker('inspect', '--format', format, container)).trim() === 'true'
  );
}

/**
 * Follows jobs to their ends; `disturb` is called when one of them is being transcribed, and another is created then.
 * @returns the ids of the jobs, which are all completed
 */
async function transcribeDuring(count: number, disturb: () => Promise<void>): Promise<string[]> {
  const { client } = installation;
  const recording = await dialogueWav();
  const submit = () => installation.submit(recording);
  let events = 0;
  const follow = async (jobId: string) => {
    const countEvent = () => Promise.resolve((events += 1));
    const all = await followThroughDisconnects(client, jobId, countEvent, JOB_MS);
    expectContiguous(all);
    expect(all.at(-1)).toMatchObject({ name: 'completed' });
    return jobId;
  };
  const jobs = await Promise.all(Array.from({ length: count }, submit));
  // Twice, so that each API has streams of jobs that have not ended.
  const followed = [...jobs, ...jobs].map(follow);
  for (const each of followed) each.catch(() => undefined);
  await until('a recording is being transcribed', () => events > 0, JOB_MS);
  await disturb();
  followed.push(submit().then(follow));
  return [...new Set(await Promise.all(followed))];
}

/** Each job has exactly one charge, and the balance is what is left. */
async function expectChargedOnce(jobs: string[]): Promise<void> {
  const command = `credits show --account ${installation.accountId} --limit 1000 --json`;
  const statement = JSON.parse(await installation.runZephyr('api2', command)) as Statement;
  const captures = statement.entries.filter(({ kind }) => kind === 'capture');
  expect(captures).toHaveLength(jobs.length);
  expect(new Set(captures.map(({ job_id: id }) => id))).toEqual(new Set(jobs));
  const charged = captures.reduce((sum, { amount }) => sum + Number(amount), 0);
  expect(charged).toBeLessThan(0);
  expect(Number(statement.balance)).toBe(CREDITS + charged);
  expect(Number(statement.held)).toBe(0);
}

const done: string[] = [];

describe('split.yml loses no job', { timeout: UP_MS }, () => {
  it('completes every job and charges each once when the hosts of an API and of a processor are lost', async () => {
    done.push(...(await transcribeDuring(JOBS, () => kill('api1', 'processor1'))));
    expect([...installation.client.connections.values()].filter((count) => count > 1)).not.toEqual([]);
    expect(await isRunning('api1')).toBe(false);
    expect(await isRunning('processor1')).toBe(false);
    await until(
      'Prometheus reports both as down',
      async () => (await installation.listDown()).length === 2,
      90_000,
    );
    expect(await installation.listDown()).toEqual(['api1:3100', 'processor1:3100']);
    await expectChargedOnce(done);
  });

  it('completes every job when the processes that are left crash, and starts them again', async () => {
    done.push(...(await transcribeDuring(FEW_JOBS, () => crash('api2', 'processor2'))));
    await expectChargedOnce(done);
  });

  it('completes every job when Redis and the object store are killed and started again', async () => {
    const disturb = async () => {
      await crash('redis', 'objects');
      await installation.operator.follow('docker compose -f split.yml up -d');
    };
    done.push(...(await transcribeDuring(FEW_JOBS, disturb)));
    await expectChargedOnce(done);
  });

  it('completes every job after the machine is shut down and started again', async () => {
    const disturb = async () => {
      await installation.operator.daemon.stop();
      await installation.operator.daemon.start();
      await installation.waitUntilServing();
    };
    done.push(...(await transcribeDuring(FEW_JOBS, disturb)));
    await expectChargedOnce(done);
  });
});
