import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { makeMedia } from '../support/make-media.js';
import { type Bytes, synthesizeSpeech } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { expectContiguous, followThroughDisconnects } from '../e2e/support/events.js';
import { until } from '../e2e/support/until.js';
import { System } from './support/system.js';
import { countEndedChunkMessages, SELECT_ALL_ROWS } from './support/worker-writes.js';

const TEXT = 'There are ninety tables between the office and the bridge. ';
const KILLS = 5;
/** Decoding them takes some seconds. */
const HOURS = 3;
/** Includes many starts of a processor. */
const TEST_MS = 300_000;

describe('a processor', { timeout: TEST_MS }, () => {
  let system: System;
  let client: Client;
  let metricsUrl: string;

  beforeEach(async () => {
    const port = await findFreePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    // With one chunk at a time no stage is killed as often as its attempts are limited.
    const env = {
      CHUNK_CONCURRENCY: '1',
      CHUNK_SECONDS: '5',
      CHUNK_MAX_SECONDS: '10',
      SMALL_FILE_BYTES: '1024',
    };
    const started = await System.start({ queue: 'postgres', apis: 1, processors: 0, env });
    system = started;
    await system.addProcessor({ PROCESSOR_PORT: String(port) }).waitUntilReady();
    client = await system.client();
    return () => started.stop();
  });

  it(`a job completes and each step is counted once although its processor is killed ${KILLS} times`, async () => {
    const { job_id } = await client.submit(await synthesizeSpeech(TEXT.repeat(8)));
    let kills = 0;
    const events = await followThroughDisconnects(
      client,
      job_id,
      async () => {
        if (kills === KILLS) return;
        kills += 1;
        await system.processors[0]?.kill('SIGKILL');
      },
      TEST_MS,
    );
    expect(kills).toBe(KILLS);
    expectContiguous(events);
    expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
    expect(await system.findInvariantViolations()).toEqual([]);
  });

  it('chunks that are transcribed when a processor is killed while splitting are kept and not repeated', async () => {
    const { job_id } = await client.submit(await createSpeechBeforeHoursOfSilence());
    const doneBeforeKill = await until('a chunk is done before splitting has ended', async () => {
      const done = await findDoneChunks(job_id);
      return done.length > 0 && done;
    });
    expect(doneBeforeKill.filter(({ splitting }) => !splitting)).toEqual([]);
    await system.processors[0]?.kill('SIGKILL');
    expectContiguous(await followThroughDisconnects(client, job_id));
    expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
    const doneAfterEnd = await findDoneChunks(job_id);
    expect(doneAfterEnd).toEqual(
      expect.arrayContaining(doneBeforeKill.map((chunk) => ({ ...chunk, splitting: false }))),
    );
    expect(await system.findInvariantViolations()).toEqual([]);
  });

  it('the late write of a processor that was frozen past its lease changes no row', async () => {
    const { job_id } = await client.submit(await synthesizeSpeech(TEXT.repeat(2)));
    const [frozen] = system.processors;
    const endedBefore = await until('the processor is frozen while it runs a chunk', async () => {
      const runningStages = await findRunningChunks(job_id);
      const ended = await countEndedChunkMessages(metricsUrl);
      await frozen?.kill('SIGSTOP');
      if (runningStages.length > 0 && isDeepStrictEqual(await findRunningChunks(job_id), runningStages))
        return ended;
      await frozen?.kill('SIGCONT');
      return false;
    });
    await system.addProcessor().waitUntilReady();
    expectContiguous(await followThroughDisconnects(client, job_id));
    await until('the audio of every job is deleted', async () => (await countStoredAudio()) === 0);

    const before = await system.queryRows(SELECT_ALL_ROWS);
    await frozen?.kill('SIGCONT');
    await until(
      'the frozen processor has ended its chunk',
      async () => (await countEndedChunkMessages(metricsUrl)) > endedBefore,
    );
    expect(await system.queryRows(SELECT_ALL_ROWS)).toEqual(before);

    // The resumed processor still works.
    await system.processors[1]?.stop();
    const next = await client.submit(await synthesizeSpeech(TEXT));
    expect((await followThroughDisconnects(client, next.job_id)).at(-1)?.name).toBe('completed');
    expect(await system.findInvariantViolations()).toEqual([]);
  });

  const findDoneChunks = (jobId: string) =>
    system.queryRows<{ splitting: boolean }>(
      `SELECT name, fence, stage.finished_at, steps_total IS NULL AS splitting
       FROM job_stage stage JOIN job ON id = job_id WHERE id = $1 AND queue = 'chunk' AND state = 'done'`,
      jobId,
    );
  const findRunningChunks = async (jobId: string) => {
    const stages = `SELECT name, fence FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'running'`;
    return system.queryRows<{ name: string; fence: number }>(stages, jobId);
  };
  const countStoredAudio = async () =>
    (await system.queryRows('SELECT id FROM job WHERE audio_deleted_at IS NULL')).length;
});

async function createSpeechBeforeHoursOfSilence(): Promise<Bytes> {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-hours-'));
  try {
    const speechPath = join(folder, 'speech.wav');
    // A first chunk is dispatched with the second one, not alone.
    await writeFile(speechPath, await synthesizeSpeech(TEXT.repeat(4)));
    return new Uint8Array(
      await readFile(
        await makeMedia(folder, 'hours.flac', '-i', speechPath, '-af', `apad=whole_dur=${HOURS * 3600}`),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
