import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { silentWav } from './support/audio.js';
import type { Client } from './support/client.js';
import { type Environment, buildEnvironment, mainPath } from './support/program.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';
import { CAN_HIDE_DECODER, nodeCommand, setDecoderVisible } from './support/hidden-decoder.js';

const TEST_TIMEOUT_MS = 240_000;
const DETECTION_TIMEOUT_MS = 60_000;

let service: Service;
let client: Client;

beforeAll(async () => {
  service = await Service.startApi({ SWEEP_SECONDS: '1' });
  client = await service.client();
});
afterAll(() => service?.stop());

/** A processor in a separate mount namespace. */
function launch(decoder: 'decoder' | 'no decoder', overrides: Environment = {}) {
  const [command, args] = nodeCommand(decoder, mainPath('processor'));
  const settings = buildEnvironment({ ...service.settings, ...overrides });
  const child = spawn(command, args, { env: settings, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += String(text)));
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, stderr }));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, ended };
}

describe.skipIf(!CAN_HIDE_DECODER)('a processor without ffmpeg (skipped where unshare may not mount)', () => {
  it('exits at startup with one line that says what to install', async () => {
    const { code, stderr } = await launch('no decoder').ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^processor: ffmpeg is not installed\. Install it with [^\n]*\n$/);
  });

  it(
    'becomes unready when ffmpeg disappears, and its jobs wait without using attempts until it is back',
    async () => {
      const port = await findFreePort();
      const { child } = launch('decoder', { PROCESSOR_PORT: String(port) });
      const readReadiness = async () => {
        const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
        return response && { status: response.status, text: await response.text() };
      };
      await until(
        'the processor is ready',
        async () => (await readReadiness())?.status === 200,
        DETECTION_TIMEOUT_MS,
      );

      await setDecoderVisible(child.pid ?? NaN, false);
      const missing = await until('the processor is not ready', async () => {
        const response = await readReadiness();
        return response?.status === 503 ? response : undefined;
      });
      expect(JSON.parse(missing.text)).toMatchObject({ error: { decoder: { status: 'down' } } });
      const { job_id } = await client.submit(silentWav(1));
      const findReleased = 'SELECT FROM job_stage WHERE job_id = $1 AND last_error IS NOT NULL';
      await until(
        'the stage was released',
        async () => (await service.query(findReleased, [job_id])).length > 0,
        DETECTION_TIMEOUT_MS,
      );
      expect(await service.adminJson('jobs', 'show', job_id, '--json')).toMatchObject({
        status: 'processing',
        stages: [{ name: 'preprocess', attempts: 0, last_error: expect.stringContaining('ffmpeg') }],
      });

      await setDecoderVisible(child.pid ?? NaN, true);
      await until(
        'the processor is ready again',
        async () => (await readReadiness())?.status === 200,
        DETECTION_TIMEOUT_MS,
      );
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
    },
    TEST_TIMEOUT_MS,
  );
});
