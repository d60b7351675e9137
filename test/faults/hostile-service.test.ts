import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesizeSpeech } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { buildMisleadingFiles } from '../support/hostile/misleading-files.js';
import { generateDamagedFiles } from '../support/hostile/damaged-files.js';
import { PLAYLISTS } from '../support/hostile/playlists.js';
import { makeSeeds, type Seed } from '../support/hostile/seeds.js';
import { seededRandomFor } from './support/seed.js';

const MUTANTS = 12;
const MISLEADING_FILES = 4;
const TEST_MS = 300_000;
/** The documented errors. Billing is possible because damaged files may decode to hours of silence. */
const ALLOWED_REASONS = /^(preprocess: (The file [\w ,]+\.|The audio is longer than .*)|billing: .+)$/;
const TEXT = 'There are ninety tables between the office and the bridge. ';

const random = seededRandomFor('hostile-service');

describe('the service with hostile media', { timeout: TEST_MS }, () => {
  let service: Service;
  let client: Client;
  let temporary: string;
  let seeds: Seed[];

  beforeAll(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'zephyr-hostile-'));
    seeds = await makeSeeds(temporary, random);
    await rm(temporary, { recursive: true });
    temporary = await mkdtemp(join(tmpdir(), 'zephyr-hostile-'));
    service = await Service.start({ WORK_DIR: temporary, LEASE_SECONDS: '3', SWEEP_SECONDS: '1' });
    client = await service.client();
  }, TEST_MS);
  afterAll(async () => {
    await service?.stop();
    await rm(temporary, { recursive: true, force: true });
  });

  async function waitForEnd(jobId: string): Promise<string> {
    await client.events(jobId);
    const { status, failed_stage: stage, reason } = await client.job(jobId);
    return status === 'failed' ? `${stage}: ${reason}` : status;
  }

  /** The process ids in the names of the work folders. */
  async function listWorkFolderPids(): Promise<number[]> {
    const paths = await readdir(temporary, { recursive: true });
    return paths.flatMap((path) =>
      Number(/^processor-.*-(\d+)-\d+-[^-/]+\/zephyr-work-[^/]+$/.exec(path)?.[1] ?? []),
    );
  }

  it('each job completes or fails with a reason for the caller, and the service still transcribes afterwards', async () => {
    const pid = await service.pidOf('processor');
    const files = [
      ...[...generateDamagedFiles(seeds, MUTANTS, random)].map(({ bytes }) => bytes),
      ...PLAYLISTS.flat().map((write) => Buffer.from(write('/etc/hostname', 9))),
      ...buildMisleadingFiles(seeds, random)
        .filter(({ bytes }) => bytes.length > 0)
        .slice(0, MISLEADING_FILES)
        .map(({ bytes }) => bytes),
    ];
    const ends = await Promise.all(
      files.map(async (bytes) => waitForEnd((await client.submit(new Uint8Array(bytes))).job_id)),
    );
    const failed = ends.filter((end) => end !== 'completed');
    console.log(`${files.length} files: ${failed.length} rejected, the others completed`);
    expect(failed.length).toBeGreaterThan(0);
    for (const end of failed) expect(end).toMatch(ALLOWED_REASONS);
    const good = await client.submit(await synthesizeSpeech(TEXT));
    expect(await waitForEnd(good.job_id)).toBe('completed');
    expect(await service.pidOf('processor')).toBe(pid);
  });

  it('the work and engine folders of a killed processor are deleted', async () => {
    const { job_id } = await client.submit(await synthesizeSpeech(TEXT.repeat(8)));
    const killed = await service.pidOf('processor');
    await until(
      'the processor has created its folders',
      async () => (await listWorkFolderPids()).filter((pid) => pid === killed).length > 1,
    );
    // The folder is listed before the kill, because the next process deletes it when it starts.
    await service.kill('processor', 'SIGSTOP');
    expect(await listWorkFolderPids()).toContain(killed);
    await service.kill('processor', 'SIGKILL');
    expect(await waitForEnd(job_id)).toBe('completed');
    expect(await listWorkFolderPids()).not.toContain(killed);
  });
});
