import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSamples } from '../../scripts/guide/list-samples.mjs';
import { sampleRecording } from '../e2e/support/audio.js';
import { Client } from '../e2e/support/client.js';
import { until } from '../e2e/support/until.js';
import { Operator } from './support/operator.js';

const FILES = '-f one-box.yml';
const ZEPHYR = '/opt/zephyr/bin/zephyr';
const BASE_URL = 'http://127.0.0.1:3000';
const UP_MS = 300_000;

interface Finding {
  name: string;
  status: string;
  detail: string;
}

let operator: Operator;
let client: Client;
let jobId: string;

beforeAll(async () => {
  operator = await Operator.start();
  await operator.configure();
  await operator.follow('docker compose -f one-box.yml up -d');
  await operator.waitUntilServing(FILES, ['zephyr']);
  const created = await operator.follow(
    `docker compose -f one-box.yml exec zephyr ${ZEPHYR} accounts create Example --credits 100000`,
  );
  client = new Client(BASE_URL, (JSON.parse(created) as { api_key: string }).api_key);
  await operator.follow(`docker compose -f one-box.yml exec zephyr ${ZEPHYR} users create you@example.com`);
}, UP_MS);
afterAll(() => operator?.remove(FILES), UP_MS);

/** @param format of `docker inspect` */
async function inspect(format: string): Promise<string> {
  const container = await operator.container(FILES, 'zephyr');
  return (await operator.daemon.docker('inspect', '--format', format, container)).trim();
}

async function readTranscript(): Promise<string> {
  const { status, download_url: url } = await client.job(jobId);
  expect(status).toBe('completed');
  return (await client.download(url ?? '')).text;
}

describe('one-box.yml, as the page of the documentation starts it', () => {
  it('transcribes the sample', { timeout: 180_000 }, async () => {
    ({ job_id: jobId } = await client.submit(await sampleRecording(), { output_type: 'txt' }));
    expect((await client.events(jobId)).at(-1)).toMatchObject({ name: 'completed' });
    expect(await readTranscript()).toContain('Good morning.');
  });

  it('is healthy for the engine', async () => {
    const isHealthy = async () => (await inspect('{{.State.Health.Status}}')) === 'healthy';
    await until('the health check succeeds', isHealthy, 60_000);
  });

  it('finds no problem, and the whole sandbox of media programs', async () => {
    await operator.follow(`docker compose -f one-box.yml exec zephyr ${ZEPHYR} doctor`);
    const report = await operator.run(`docker compose ${FILES} exec zephyr ${ZEPHYR} doctor --json`);
    const findings = JSON.parse(report) as Finding[];
    expect(findings.filter(({ status }) => status === 'problem')).toEqual([]);
    expect(findings.find(({ name }) => name === 'sandbox')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('own files only'),
    });
    expect(await operator.log(FILES, 'zephyr')).not.toContain('with less protection');
  });

  it('keeps its jobs when it is killed and started again', { timeout: UP_MS }, async () => {
    await operator.daemon.docker('kill', await operator.container(FILES, 'zephyr'));
    await operator.follow('docker compose -f one-box.yml up -d');
    await operator.waitUntilServing(FILES, ['zephyr']);
    expect(await readTranscript()).toContain('Good morning.');
  });

  it('says that its sandbox does not work without the seccomp profile', { timeout: UP_MS }, async () => {
    const file = join(operator.composeFolder, 'one-box.yml');
    const profile = ", 'seccomp:../containers/seccomp.json'";
    const original = await readFile(file, 'utf8');
    expect(original).toContain(profile);
    await writeFile(file, original.replace(profile, ''));
    await operator.run(`docker compose ${FILES} up -d`);
    await until(
      'the processor says what it needs',
      async () =>
        /allow user namespaces \(docs\/operating\/sandbox\.md\)/.test(await operator.log(FILES, 'zephyr')),
      120_000,
    );
  });

  it('the tests above have run all commands of the page', async () => {
    const pages = await listSamples('test/compose/one-box.test.ts');
    expect(operator.listCommandsNotFollowed(pages)).toEqual([]);
  });
});
