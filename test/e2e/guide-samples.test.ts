import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listSamples, type PageSamples } from '../../scripts/guide/list-samples.mjs';
import { TranscriptionServer } from './support/transcription-server.js';
import { findFreePort } from '../support/child-process.js';
import { TinyModelCatalogue } from '../support/tiny-model-catalogue.js';
import { sampleRecording } from './support/audio.js';
import { buildEnvironment, type Environment } from './support/program.js';
import { runGuidePageSamples, type SampleEnvironment } from './support/run-guide-page-samples.js';
import { SampleInstallation } from './support/sample-installation.js';
import { SampleWorkspace } from './support/sample-workspace.js';
import { Service } from './support/service.js';
import { EMPTY_TEMPLATE } from './support/shared-postgres.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

const pages: PageSamples[] = await listSamples();
/** Such pages get an installation of their own. */
const STARTS_SERVICE = /^(?:\w+=\S+ )*npm (?:start|run demo)\b/m;
const startsService = ({ samples }: PageSamples) => samples.some(({ code }) => STARTS_SERVICE.test(code));

let engine: TranscriptionServer;
let recordings: WebhookReceiver;
let catalogue: TinyModelCatalogue;
let service: Service;
let workspace: SampleWorkspace;
/** Where backups are restored to. */
let restored: SampleInstallation;
let environment: SampleEnvironment;

beforeAll(async () => {
  // The README is run with the real recogniser (first-steps.suite.ts); these pages transcribe too many recordings.
  engine = await TranscriptionServer.start();
  recordings = await WebhookReceiver.start();
  recordings.serve('/interview.mp3', await sampleRecording());
  catalogue = await TinyModelCatalogue.start({
    'tiny-parakeet': { rank: 200, minWordsRight: 0 },
    'tiny-silero': null,
  });
  service = await Service.start({
    ENGINE: 'openai',
    OPENAI_BASE_URL: engine.baseUrl,
    OUTBOUND_ALLOW: '127.0.0.1',
  });
  restored = await SampleInstallation.create(EMPTY_TEMPLATE);
  workspace = await SampleWorkspace.create(service);
  const client = await service.client();
  const { job_id } = await client.submit(await sampleRecording());
  await client.events(job_id);
  environment = {
    folder: workspace.folder,
    env: {
      ...buildSampleEnvironment(service.settings),
      ZEPHYR_URL: service.baseUrl,
      API: `${service.baseUrl}/api/v1`,
      KEY: await service.apiKey(),
      ID: job_id,
    },
    replacements: await buildReplacements(),
    input: join(service.dataDir, 'dev-api-key'),
  };
});

afterAll(async () => {
  await service?.stop();
  await engine?.stop();
  await catalogue?.stop();
  await recordings?.close();
  await restored?.remove();
  await workspace?.remove();
});

function buildSampleEnvironment(settings: Environment): Environment {
  const { folder } = workspace;
  const path = [join(folder, 'bin'), join(folder, 'home', 'global', 'bin'), buildEnvironment({})['PATH']];
  return buildEnvironment({
    ...settings,
    HOME: join(folder, 'home'),
    // Some systems have haproxy in a folder that is not in everybody's path.
    PATH: [...path, '/usr/sbin'].join(':'),
    NPM_CONFIG_PREFIX: join(folder, 'home', 'global'),
    // The packages have no dependencies, so that npm needs no registry.
    NPM_CONFIG_REGISTRY: 'http://127.0.0.1:9',
    NPM_CONFIG_AUDIT: 'false',
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    ZEPHYR: folder,
  });
}

async function buildReplacements(): Promise<Record<string, string>> {
  const { MODELS_CATALOGUE, MODELS_MIRROR } = catalogue.environment;
  const [admin, models] = ['npm run --silent admin --', 'models pull'];
  return {
    '127.0.0.1:3000': `127.0.0.1:${service.port}`,
    '8080': String(await findFreePort()),
    '8081': String(await findFreePort()),
    'https://zephyr.example.com': service.baseUrl,
    'https://media.example.com': recordings.url,
    'ENCRYPTION_KEYS=…': 'ENCRYPTION_KEYS=an-encryption-key-of-enough-characters',
    'postgres://zephyr:…@db.internal/zephyr2': restored.databaseUrl,
    '/var/lib/zephyr2': restored.dataDir,
    '/backups/': `${workspace.folder}/backups/`,
    '/var/lib/breached-passwords/sha1.txt': await writeBreachedPasswords(),
    // The real models have a gigabyte.
    [`${admin} ${models} parakeet-tdt-0.6b-v3 silero-vad`]: `MODELS_CATALOGUE=${MODELS_CATALOGUE} MODELS_MIRROR=${MODELS_MIRROR} ${admin} ${models} tiny-parakeet tiny-silero`,
  };
}

async function writeBreachedPasswords(): Promise<string> {
  const hashes = ['password', '12345678', 'letmein'].map((each) =>
    createHash('sha1').update(each).digest('hex').toUpperCase(),
  );
  const file = join(workspace.folder, 'breached-passwords.txt');
  await writeFile(
    file,
    hashes
      .toSorted()
      .map((hash) => `${hash}:1\n`)
      .join(''),
  );
  return file;
}

/** Of a page that starts a service: the installation is removed with the test. */
async function createOwnEnvironment(): Promise<SampleEnvironment> {
  const installation = await SampleInstallation.create();
  onTestFinished(() => installation.remove());
  const { OUTBOUND_ALLOW: _, ...settings } = service.settings;
  return {
    ...environment,
    env: buildSampleEnvironment({ ...settings, ...installation.settings }),
    replacements: {
      ...environment.replacements,
      '127.0.0.1:3000': `127.0.0.1:${installation.port}`,
      '/var/lib/zephyr': installation.dataDir,
    },
  };
}

describe('the code of the documentation', () => {
  it.each(pages.map((page) => [page.file, page] as const))(
    '%s runs and prints what the page says',
    async (_, page) => {
      const environmentOfPage = startsService(page) ? await createOwnEnvironment() : environment;
      expect(await runGuidePageSamples(page, environmentOfPage)).toEqual([]);
    },
    240_000,
  );
});
