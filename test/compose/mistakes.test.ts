import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../e2e/support/until.js';
import { isServing, Operator } from './support/operator.js';

const SPLIT = '-f split.yml';
const TEST_MS = 300_000;
/** Of pino. */
const WARNING = 40;
const SECRETS = ['SERVICE_SECRET', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'S3_SECRET_ACCESS_KEY'];

let operator: Operator;
beforeEach(async () => {
  operator = await Operator.start();
}, TEST_MS);
afterEach(() => operator.remove(SPLIT), TEST_MS);

/** Of the log of a service, the messages of the service itself. */
async function messages(service: string): Promise<Record<string, unknown>[]> {
  const lines = (await operator.log(SPLIT, service)).match(/\{.*\}$/gm) ?? [];
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a mistake of an operator has one clear line', { timeout: TEST_MS }, () => {
  it.each(SECRETS)('%s is missing', async (name) => {
    await operator.configure();
    await operator.addSettings(`${name}=\n`);
    const { code, stderr } = await operator.try(`docker compose ${SPLIT} up -d`);
    expect(code).not.toBe(0);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('is missing in .env')]);
    expect(stderr).toContain(name === 'S3_SECRET_ACCESS_KEY' ? 'S3_SECRET' : name);
    expect(await operator.daemon.docker('ps', '--all', '--quiet')).toBe('');
  });

  it('there is no .env', async () => {
    await rm(join(operator.composeFolder, '.env'), { force: true });
    const { code, stderr } = await operator.try('docker compose -f one-box.yml up -d');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/env file.*\.env/);
  });

  it('the port is taken: the line names it, and LISTEN changes it', async () => {
    await operator.configure();
    const other = createServer().listen(3000, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { code, stderr } = await operator.try('docker compose -f one-box.yml up -d');
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/127\.0\.0\.1:3000.*address already in use/);
      await operator.addSettings('LISTEN=127.0.0.1:3001\nPUBLIC_URL=http://127.0.0.1:3001\n');
      await operator.run('docker compose -f one-box.yml up -d');
      await until('it is ready at the other port', () => isServing('http://127.0.0.1:3001'), 180_000);
    } finally {
      other.close();
      await operator.try('docker compose -f one-box.yml down --volumes --timeout 30');
    }
  });

  it('the address of the object store is wrong', async () => {
    await operator.configure();
    await operator.addSettings('S3_ENDPOINT=http://nowhere:9000\n');
    await operator.run(`docker compose ${SPLIT} up -d --no-deps postgres redis api1`);
    const message = await until(
      'the API says so',
      async () =>
        (await messages('api1')).find((each) =>
          String(each['msg']).includes('The object store does not serve'),
        ),
      120_000,
    );
    expect(Number(message['level'])).toBeGreaterThanOrEqual(WARNING);
  });

  it('a program has another secret', async () => {
    await operator.configure();
    await operator.run(`docker compose ${SPLIT} up -d --no-deps postgres redis objects api1`);
    await until(
      'the first program is set up',
      async () => (await messages('api1')).some(({ msg }) => String(msg).includes('listening')),
      180_000,
    );
    await writeFile(
      join(operator.composeFolder, 'other.yml'),
      `services: { api2: { environment: { SERVICE_SECRET: '${'another secret '.repeat(4)}' } } }\n`,
    );
    await operator.run(`docker compose ${SPLIT} -f other.yml up -d --no-deps api2`);
    await until(
      'the second program says so',
      async () => (await operator.log(SPLIT, 'api2')).includes('SERVICE_SECRET is not the one'),
      120_000,
    );
  });
});
