import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSamples, type PageSamples } from '../../scripts/guide/list-samples.mjs';
import { TranscriptionServer } from '../console/support/transcription-server.js';
import { findFreePort } from '../support/child-process.js';
import { sampleRecording } from './support/audio.js';
import { buildEnvironment } from './support/program.js';
import { runSamples, type SampleEnvironment } from './support/run-samples.js';
import { SampleWorkspace } from './support/sample-workspace.js';
import { Service } from './support/service.js';

const pages: PageSamples[] = await listSamples();

let engine: TranscriptionServer;
let service: Service;
let workspace: SampleWorkspace;
let environment: SampleEnvironment;

beforeAll(async () => {
  // The README is run with the real recogniser (first-steps.suite.ts); these pages transcribe too many recordings.
  engine = await TranscriptionServer.start();
  service = await Service.start({
    ENGINE: 'openai',
    OPENAI_BASE_URL: engine.baseUrl,
    OUTBOUND_ALLOW: '127.0.0.1',
  });
  workspace = await SampleWorkspace.create(service.dataDir);
  const client = await service.client();
  const { job_id } = await client.submit(await sampleRecording());
  await client.events(job_id);
  const folder = workspace.folder;
  environment = {
    folder,
    env: buildEnvironment({
      ...service.settings,
      HOME: join(folder, 'home'),
      PATH: [join(folder, 'bin'), join(folder, 'home', 'global', 'bin'), buildEnvironment({})['PATH']].join(
        ':',
      ),
      NPM_CONFIG_PREFIX: join(folder, 'home', 'global'),
      NPM_CONFIG_OFFLINE: 'true',
      ZEPHYR: folder,
      ZEPHYR_URL: service.baseUrl,
      API: `${service.baseUrl}/api/v1`,
      KEY: await service.apiKey(),
      ID: job_id,
    }),
    replacements: {
      '127.0.0.1:3000': `127.0.0.1:${service.port}`,
      '8080': String(await findFreePort()),
      '8081': String(await findFreePort()),
    },
  };
});

afterAll(async () => {
  await service?.stop();
  await engine?.stop();
  await workspace?.remove();
});

describe('the code of the documentation', () => {
  it.each(pages.map((page) => [page.file, page] as const))(
    '%s runs and prints what the page says',
    async (_, page) => {
      expect(await runSamples(page, environment)).toEqual([]);
    },
    240_000,
  );
});
