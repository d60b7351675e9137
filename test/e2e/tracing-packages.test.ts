import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { synthesizeSpeech } from './support/audio.js';
import { Service } from './support/service.js';
import { OtlpCollector } from './support/otlp-collector.js';

const RECORDER = new URL('./programs/record-modules.mjs', import.meta.url).href;
const PROGRAMS = ['api', 'processor'];
const PACKAGE = /node_modules\/(@opentelemetry\/[^/]+)\//;
/** Its spans do nothing; prom-client loads it as well. */
const NO_OP_PACKAGE = '@opentelemetry/api';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'loaded-modules-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Transcribes a recording, and ends the programs. @returns by program, the modules that it has loaded */
async function recordModules(settings: Record<string, string>): Promise<Map<string, string[]>> {
  const service = await Service.start({
    ...settings,
    NODE_OPTIONS: `--import=${RECORDER}`,
    RECORDED_MODULES_FOLDER: folder,
  });
  try {
    const client = await service.client();
    const { job_id: jobId } = await client.submit(await synthesizeSpeech('There are ninety tables.'));
    expect((await client.events(jobId)).at(-1)).toMatchObject({ name: 'completed' });
  } finally {
    await service.stop();
  }
  const read = async (program: string) =>
    JSON.parse(await readFile(join(folder, `${program}.json`), 'utf8')) as string[];
  return new Map(await Promise.all(PROGRAMS.map(async (program) => [program, await read(program)] as const)));
}

function packagesOf(modules: string[]): string[] {
  return [...new Set(modules.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []))];
}

describe('the packages of OpenTelemetry', () => {
  it('are not loaded by API and processor without an endpoint, but for the one whose spans do nothing', async () => {
    for (const [program, modules] of await recordModules({})) {
      expect(modules.join('\n'), program).toContain('node_modules/prom-client/');
      expect(packagesOf(modules), program).toEqual([NO_OP_PACKAGE]);
    }
  });

  it('are loaded with an endpoint', async () => {
    const collector = await OtlpCollector.start();
    try {
      for (const [program, modules] of await recordModules({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }))
        expect(packagesOf(modules), program).toContain('@opentelemetry/exporter-trace-otlp-http');
    } finally {
      await collector.close();
    }
  });
});
