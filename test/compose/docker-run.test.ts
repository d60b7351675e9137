import { afterAll, beforeAll, expect, it } from 'vitest';
import { listSamples } from '../../scripts/guide/list-samples.mjs';
import { until } from '../e2e/support/until.js';
import { isServing, Operator } from './support/operator.js';

const START_MS = 240_000;
const CONTAINER = 'zephyr';

let operator: Operator;
beforeAll(async () => {
  operator = await Operator.start();
});
afterAll(async () => {
  await operator.daemon.docker('rm', '--force', '--volumes', CONTAINER);
  await operator.daemon.docker('volume', 'rm', CONTAINER);
  await operator.remove('-f one-box.yml');
}, START_MS);

it(
  'the documented docker run starts the service, and its doctor reports the whole sandbox',
  { timeout: START_MS },
  async () => {
    const [{ samples }] = await listSamples('test/compose/docker-run.test.ts');
    const [start = '', doctor = '', ...others] = samples
      .filter(({ run }) => run !== undefined)
      .flatMap(({ code }) => code.replaceAll('\\\n', '').trim().split('\n'));
    expect(others).toEqual([]);
    await operator.run(`cd ../.. && ${start}`);
    await until('the API answers', () => isServing('http://127.0.0.1:3000'), START_MS);
    expect(await operator.run(doctor)).toMatch(/sandbox.*own files only/);
  },
);
