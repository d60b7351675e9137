import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSamples } from '../../scripts/guide/list-samples.mjs';
import { type Bytes, dialogueWav, sampleRecording } from '../e2e/support/audio.js';
import { Client, type JobEvent, type StreamRequest } from '../e2e/support/client.js';
import { ConsoleClient } from '../e2e/support/console-client.js';
import { expectContiguous, followThroughDisconnects } from '../e2e/support/events.js';
import { RETRY_STATUSES_BEHIND_PROXY, submitJobRequest } from '../e2e/support/job-requests.js';
import { until } from '../e2e/support/until.js';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { Operator } from './support/operator.js';

const FILES = '-f split.yml -f observability.yml';
const ZEPHYR = '/opt/zephyr/bin/zephyr';
const BASE_URL = 'http://127.0.0.1:3000';
const PROMETHEUS_URL = 'http://127.0.0.1:9090';
const PROGRAMS = ['api1', 'api2', 'processor1', 'processor2'];
const GRAFANA_URL = 'http://127.0.0.1:3200';
const UP_MS = 400_000;
const CREDITS = 100_000;
const JOBS = 5;
const FEW_JOBS = 2;
const JOB_MS = 400_000;

/** Counts the connections for the stream of each job. */
class StreamingClient extends Client {
  readonly connections = new Map<string, number>();

  override async *stream(jobId: string, request?: StreamRequest): AsyncGenerator<JobEvent> {
    this.connections.set(jobId, (this.connections.get(jobId) ?? 0) + 1);
    yield* super.stream(jobId, request);
  }
}

interface Statement {
  balance: string | number;
  held: string | number;
  entries: { kind: string; job_id: string | null; amount: string | number }[];
}

let operator: Operator;
let client: StreamingClient;
let accountId: string;

beforeAll(async () => {
  operator = await Operator.start();
  await operator.configure();
  await operator.follow('docker compose -f split.yml up -d');
  await operator.waitUntilServing(FILES, PROGRAMS);
  // APIs serve before the object store does.
  await until(
    'no problem is left',
    async () => (await operator.try(`docker compose ${FILES} exec api1 ${ZEPHYR} doctor`)).code === 0,
    UP_MS,
  );
  const created = await operator.follow(
    `docker compose -f split.yml exec api1 ${ZEPHYR} accounts create Example --credits ${CREDITS}`,
  );
  const account = JSON.parse(created) as { account_id: string; api_key: string };
  accountId = account.account_id;
  client = new StreamingClient(BASE_URL, account.api_key);
}, UP_MS);
afterAll(() => operator?.remove(FILES), UP_MS);

/** With the user and password of the documentation. */
async function queryGrafana(route: string): Promise<unknown> {
  const settings = parseEnv(await readFile(join(operator.composeFolder, '.env'), 'utf8'));
  const credentials = Buffer.from(`admin:${settings['GRAFANA_PASSWORD']}`).toString('base64');
  const response = await fetch(`${GRAFANA_URL}/api/${route}`, {
    headers: { authorization: `Basic ${credentials}` },
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** @returns the programs that do not answer Prometheus, sorted */
async function listDown(): Promise<string[]> {
  const response = await fetch(`${PROMETHEUS_URL}/api/v1/query?query=${encodeURIComponent('up == 0')}`);
  const { data } = (await response.json()) as { data: { result: { metric: { instance: string } }[] } };
  return data.result.map(({ metric }) => metric.instance).toSorted();
}

async function kill(...services: string[]): Promise<void> {
  const containers = await Promise.all(services.map((service) => operator.container(FILES, service)));
  await operator.daemon.docker('kill', ...containers);
}

/** Of the first process of each container, with which it ends. */
async function crash(...services: string[]): Promise<void> {
  const containers = await Promise.all(services.map((service) => operator.container(FILES, service)));
  const pids = await operator.daemon.docker('inspect', '--format', '{{.State.Pid}}', ...containers);
  for (const pid of pids.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
}

async function isRunning(service: string): Promise<boolean> {
  const container = await operator.container(FILES, service);
  const format = '{{.State.Running}}';
  return (await operator.daemon.docker('inspect', '--format', format, container)).trim() === 'true';
}

let names = 0;
/** Repeats requests that may be repeated, as clients do. @returns the id of the job */
async function submit(bytes: Bytes): Promise<string> {
  const request = { name: `recording-${(names += 1)}`, bytes, options: { output_type: 'txt' } };
  const observations = new ObservationRecorder();
  return (await submitJobRequest(client, request, observations, RETRY_STATUSES_BEHIND_PROXY)).job_id;
}

/**
 * Follows jobs to their ends; `disturb` is called when one of them is being transcribed, and another is created then.
 * @returns the ids of the jobs, which are all completed
 */
async function transcribeDuring(count: number, disturb: () => Promise<void>): Promise<string[]> {
  const recording = await dialogueWav();
  let events = 0;
  const follow = async (jobId: string) => {
    const countEvent = () => Promise.resolve((events += 1));
    const all = await followThroughDisconnects(client, jobId, countEvent, JOB_MS);
    expectContiguous(all);
    expect(all.at(-1)).toMatchObject({ name: 'completed' });
    return jobId;
  };
  const jobs = await Promise.all(Array.from({ length: count }, () => submit(recording)));
  // Twice, so that each API has streams of jobs that have not ended.
  const followed = [...jobs, ...jobs].map(follow);
  for (const each of followed) each.catch(() => undefined);
  await until('a recording is being transcribed', () => events > 0, JOB_MS);
  await disturb();
  followed.push(submit(recording).then(follow));
  return [...new Set(await Promise.all(followed))];
}

/** Each job has exactly one charge, and the balance is what is left. */
async function expectChargedOnce(jobs: string[]): Promise<void> {
  const command = `exec api2 ${ZEPHYR} credits show --account ${accountId} --limit 1000 --json`;
  const statement = JSON.parse(await operator.run(`docker compose ${FILES} ${command}`)) as Statement;
  const captures = statement.entries.filter(({ kind }) => kind === 'capture');
  expect(captures).toHaveLength(jobs.length);
  expect(new Set(captures.map(({ job_id: id }) => id))).toEqual(new Set(jobs));
  const charged = captures.reduce((sum, { amount }) => sum + Number(amount), 0);
  expect(charged).toBeLessThan(0);
  expect(Number(statement.balance)).toBe(CREDITS + charged);
  expect(Number(statement.held)).toBe(0);
}

const done: string[] = [];

describe('split.yml, as the page of the documentation starts it', () => {
  it('transcribes what is sent through the proxy and the object store', async () => {
    const jobId = await submit(await sampleRecording());
    expect((await client.events(jobId)).at(-1)).toMatchObject({ name: 'completed' });
    const { download_url: url } = await client.job(jobId);
    expect((await client.download(url ?? '')).text).toContain('Good morning.');
    done.push(jobId);
  }, 180_000);

  it('counts sign-ins by the caller that the proxy with TLS in front of it names', async () => {
    const browser = new ConsoleClient({ baseUrl: BASE_URL });
    const signIn = (caller: number) =>
      browser.request(
        'POST',
        'sign-in',
        { email: `nobody${caller}@example.org`, password: 'wrong horse 77' },
        { 'x-forwarded-for': `203.0.113.${caller}` },
      );
    // More than one address may try in a minute.
    const callers = Array.from({ length: 40 }, (_, index) => index + 1);
    const statuses = [];
    for (const caller of callers) statuses.push((await signIn(caller)).status);
    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  it('shows its programs and the alert rules in Prometheus, and gives Grafana its data source and dashboard', async () => {
    await operator.follow('docker compose -f split.yml -f observability.yml up -d');
    const areUp = async () => {
      const response = await fetch(`${PROMETHEUS_URL}/api/v1/targets?state=active`);
      const { data } = (await response.json()) as { data: { activeTargets: { health: string }[] } };
      return data.activeTargets.filter(({ health }) => health === 'up').length === PROGRAMS.length;
    };
    await until('all programs are scraped', areUp, 90_000);
    const rules = await (await fetch(`${PROMETHEUS_URL}/api/v1/rules`)).text();
    expect(rules).toContain('"type":"alerting"');
    expect(await queryGrafana('search')).toEqual([{ title: 'zephyr' }]);
    expect(await queryGrafana('datasources')).toMatchObject([{ name: 'Prometheus', type: 'prometheus' }]);
    expect(await queryGrafana('datasources/proxy/name/Prometheus/api/v1/query?query=up')).toMatchObject({
      data: { result: PROGRAMS.map(() => ({ value: [expect.any(Number), '1'] })) },
    });
  }, 180_000);

  it(
    'completes every job and charges each once when the hosts of an API and of a processor are lost',
    async () => {
      done.push(...(await transcribeDuring(JOBS, () => kill('api1', 'processor1'))));
      expect([...client.connections.values()].filter((count) => count > 1)).not.toEqual([]);
      expect(await isRunning('api1')).toBe(false);
      expect(await isRunning('processor1')).toBe(false);
      await until('Prometheus reports both as down', async () => (await listDown()).length === 2, 90_000);
      expect(await listDown()).toEqual(['api1:3100', 'processor1:3100']);
      await expectChargedOnce(done);
    },
    UP_MS,
  );

  it(
    'completes every job when the processes that are left crash, and starts them again',
    async () => {
      done.push(...(await transcribeDuring(FEW_JOBS, () => crash('api2', 'processor2'))));
      await expectChargedOnce(done);
    },
    UP_MS,
  );

  it(
    'completes every job when Redis and the object store are killed and started again',
    async () => {
      const disturb = async () => {
        await crash('redis', 'objects');
        await operator.follow('docker compose -f split.yml up -d');
      };
      done.push(...(await transcribeDuring(FEW_JOBS, disturb)));
      await expectChargedOnce(done);
    },
    UP_MS,
  );

  it(
    'completes every job after the machine is shut down and started again',
    async () => {
      const disturb = async () => {
        await operator.daemon.stop();
        await operator.daemon.start();
        await operator.waitUntilServing(FILES, PROGRAMS);
      };
      done.push(...(await transcribeDuring(FEW_JOBS, disturb)));
      await expectChargedOnce(done);
    },
    UP_MS,
  );

  it('the tests above have run all commands of the page', async () => {
    const pages = await listSamples('test/compose/split.test.ts');
    expect(operator.listCommandsNotFollowed(pages)).toEqual([]);
  });
});
