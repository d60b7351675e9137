import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSamples } from '../../scripts/guide/list-samples.mjs';
import { sampleRecording } from '../e2e/support/audio.js';
import { ConsoleClient } from '../e2e/support/console-client.js';
import { PROGRAMS, SPLIT_URL, SplitInstallation, UP_MS } from './support/split-installation.js';

const GRAFANA_URL = 'http://127.0.0.1:3200';

let installation: SplitInstallation;

beforeAll(async () => {
  installation = await SplitInstallation.start();
}, UP_MS);
afterAll(() => installation?.remove(), UP_MS);

/** With the user and password of the documentation. */
async function queryGrafana(route: string): Promise<unknown> {
  const settings = parseEnv(await readFile(join(installation.operator.composeFolder, '.env'), 'utf8'));
  const credentials = Buffer.from(`admin:${settings['GRAFANA_PASSWORD']}`).toString('base64');
  const response = await fetch(`${GRAFANA_URL}/api/${route}`, {
    headers: { authorization: `Basic ${credentials}` },
  });
  expect(response.status).toBe(200);
  return response.json();
}

describe('split.yml, as the page of the documentation starts it', () => {
  it('transcribes what is sent through the proxy and the object store', async () => {
    const { client } = installation;
    const jobId = await installation.submit(await sampleRecording());
    expect((await client.events(jobId)).at(-1)).toMatchObject({ name: 'completed' });
    const { download_url: url } = await client.job(jobId);
    expect((await client.download(url ?? '')).text).toContain('Good morning.');
  }, 180_000);

  it('counts sign-ins by the caller that the proxy with TLS in front of it names', async () => {
    const browser = new ConsoleClient({ baseUrl: SPLIT_URL });
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
    await installation.startObservability();
    expect(await installation.fetchAlertRules()).toContain('"type":"alerting"');
    expect(await queryGrafana('search')).toEqual([{ title: 'zephyr' }]);
    expect(await queryGrafana('datasources')).toMatchObject([{ name: 'Prometheus', type: 'prometheus' }]);
    expect(await queryGrafana('datasources/proxy/name/Prometheus/api/v1/query?query=up')).toMatchObject({
      data: { result: PROGRAMS.map(() => ({ value: [expect.any(Number), '1'] })) },
    });
  }, 180_000);

  it('the tests above have run all commands of the page', async () => {
    const pages = await listSamples('test/compose/split.test.ts');
    expect(installation.operator.listCommandsNotFollowed(pages)).toEqual([]);
  });
});
