import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSamples } from '../../scripts/guide/list-samples.mjs';
import { TranscriptionServer } from '../e2e/support/transcription-server.js';
import { buildEnvironment } from '../e2e/support/program.js';
import { runGuidePageSamples } from '../e2e/support/run-guide-page-samples.js';
import { findFreePort } from '../support/child-process.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const pages = await listSamples('test/s3/several-machines.s3.test.ts');
/** What an operator does next, with the settings of the page. */
const USE = {
  language: 'sh',
  run: 'this test',
  background: false,
  code: `
KEY=$(npm run --silent admin -- accounts create acme --credits 1000 2> /dev/null | node -pe 'JSON.parse(fs.readFileSync(0)).api_key')
curl -sSf "http://127.0.0.1:$PORT/api/v1/transcribe?output_type=txt" -X POST -T ${ROOT}assets/sample/dialogue.mp3 -H "X-API-Key: $KEY"`,
  prints: 'event: completed',
};

let engine: TranscriptionServer;
let s3: Radosgw;
let postgres: PrivatePostgres;
let folder: string;

beforeAll(async () => {
  engine = await TranscriptionServer.start();
  [s3, postgres] = await Promise.all([startRadosgw(), startPrivatePostgres()]);
  folder = await mkdtemp(join(tmpdir(), 'zephyr-several-machines-'));
});
afterAll(async () => {
  await postgres?.remove();
  await s3?.stop();
  await engine?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** The machine and the servers of a page. */
async function createEnvironment(name: string) {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  const [port, processorPort] = [await findFreePort(), await findFreePort()];
  return {
    folder: ROOT,
    env: buildEnvironment({
      DATA_DIR: dataDir,
      PORT: String(port),
      S3_REGION: s3.region,
      S3_FORCE_PATH_STYLE: 'true',
      ENGINE: 'openai',
      OPENAI_BASE_URL: engine.baseUrl,
    }),
    replacements: {
      'postgres://zephyr:…@db.internal/zephyr': postgres.url,
      'https://s3.internal': s3.endpoint,
      'S3_ACCESS_KEY_ID=…': `S3_ACCESS_KEY_ID=${s3.credentials.accessKeyId}`,
      'S3_SECRET_ACCESS_KEY=…': `S3_SECRET_ACCESS_KEY=${s3.credentials.secretAccessKey}`,
      'SERVICE_SECRET=…': 'SERVICE_SECRET=a-service-secret-of-enough-characters',
      'ENCRYPTION_KEYS=…': 'ENCRYPTION_KEYS=an-encryption-key-of-enough-characters',
      'https://speech.example.com': `http://127.0.0.1:${port}`,
      'PROCESSOR_PORT=3200': `PROCESSOR_PORT=${processorPort}`,
    },
  };
}

describe('the programs of several machines', () => {
  it.each(pages.map((page, at) => [page.file, page, `machine-${at}`] as const))(
    'start with the settings of %s and transcribe together',
    async (_, { file, samples }, name) => {
      const page = { file, samples: [...samples, USE] };
      expect(await runGuidePageSamples(page, await createEnvironment(name))).toEqual([]);
    },
    240_000,
  );
});
