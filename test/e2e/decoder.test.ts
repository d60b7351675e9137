import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { silentWav } from './support/audio.js';
import type { Client } from './support/client.js';
import { createDataDir, removeDataDir } from './support/data-dir.js';
import { type Environment, buildEnvironment, mainPath, Program, runProgram } from './support/program.js';
import { RunningService } from './support/running-service.js';
import { createSharedDatabase, type SharedDatabase } from './support/shared-postgres.js';
import { until } from './support/until.js';
import { CAN_HIDE_DECODER, nodeCommand, setDecoderVisible } from './support/hidden-decoder.js';

const TEST_TIMEOUT_MS = 240_000;
const DETECTION_TIMEOUT_MS = 60_000;

let dataDir: string;
let database: SharedDatabase | undefined;
let env: Environment;
let service: RunningService;
let api: Program;
let client: Client;

beforeAll(async () => {
  dataDir = await createDataDir();
  database = await createSharedDatabase();
  const settings = { DATABASE_URL: database?.url ?? '', SWEEP_SECONDS: '1' };
  service = new RunningService(dataDir, await findFreePort(), settings);
  env = service.settings;
  api = Program.launch('api', [], env, join(dataDir, 'e2e.log'));
  await api.waitUntilReady();
  client = await service.client();
});
afterAll(async () => {
  await api?.stop();
  if (dataDir) await removeDataDir(dataDir);
  await database?.drop();
});

/** A processor in a separate mount namespace. */
function launch(decoder: 'decoder' | 'no decoder', overrides: Environment = {}) {
  const [command, args] = nodeCommand(decoder, mainPath('processor'));
  const settings = buildEnvironment({ ...env, ...overrides });
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
      const { stdout } = await runProgram('admin', ['jobs', 'show', job_id, '--json'], env);
      expect(JSON.parse(stdout)).toMatchObject({
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
