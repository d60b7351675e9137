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

const TEXT = 'There are ninety tables between the office and the bridge. ';
const KILLS = 5;
/** Some seconds of decoding. */
const HOURS = 3;
/** A processor takes time to start, and this one starts again and again. */
const TEST_MS = 300_000;

/** A snapshot of every row that a worker may write. */
const ROWS_OF_WORKERS = `
  SELECT (SELECT json_agg(s ORDER BY job_id, name) FROM job_stage s) AS stages,
    (SELECT json_agg(e ORDER BY job_id, seq) FROM job_event e) AS events,
    (SELECT json_agg(c ORDER BY id) FROM credit_entry c) AS credits,
    (SELECT json_agg(to_jsonb(j) - 'audio_deleted_at' ORDER BY id) FROM job j) AS jobs,
    (SELECT json_agg(o ORDER BY id) FROM outbox o) AS outbox`;

describe('a processor', { timeout: TEST_MS }, () => {
  let system: System;
  let client: Client;
  let port: number;

  beforeEach(async () => {
    port = await findFreePort();
    // One chunk at a time: the kills of a stage then stay below the allowed number of starts.
    const env = {
      CHUNK_CONCURRENCY: '1',
      CHUNK_SECONDS: '5',
      CHUNK_MAX_SECONDS: '10',
      SMALL_FILE_BYTES: '1024',
    };
    const started = await System.start({ queue: 'postgres', apis: 1, processors: 0, env });
    system = started;
    await system.addProcessor({ PROCESSOR_PORT: String(port) }).untilReady();
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
    const { job_id } = await client.submit(await speechBeforeHoursOfSilence());
    const doneBeforeCut = await until('a chunk is done before the cut is', async () => {
      const done = await doneChunks(job_id);
      return done.length > 0 && done;
    });
    expect(doneBeforeCut.map(({ uncut }) => uncut)).toEqual([true]);
    await system.processors[0]?.kill('SIGKILL');
    expectContiguous(await followThroughDisconnects(client, job_id));
    expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
    expect(await doneChunks(job_id)).toEqual(doneBeforeCut.map((chunk) => ({ ...chunk, uncut: false })));
    expect(await system.findInvariantViolations()).toEqual([]);
  });

  it('the late write of a processor that was frozen past its lease changes no row', async () => {
    const { job_id } = await client.submit(await synthesizeSpeech(TEXT.repeat(2)));
    const [frozen] = system.processors;
    const endedBefore = await until('it is frozen at the chunk that it was at', async () => {
      const runningStages = await running(job_id);
      const ended = await chunksEnded();
      await frozen?.kill('SIGSTOP');
      if (runningStages.length > 0 && isDeepStrictEqual(await running(job_id), runningStages)) return ended;
      await frozen?.kill('SIGCONT');
      return false;
    });
    await system.addProcessor().untilReady();
    expectContiguous(await followThroughDisconnects(client, job_id));
    await until('nobody writes any more', async () => (await countStoredAudio()) === 0);

    const before = await system.rows(ROWS_OF_WORKERS);
    await frozen?.kill('SIGCONT');
    await until('it has ended what it was at', async () => (await chunksEnded()) > endedBefore);
    expect(await system.rows(ROWS_OF_WORKERS)).toEqual(before);

    // The remaining processor is unaffected.
    await system.processors[1]?.stop();
    const next = await client.submit(await synthesizeSpeech(TEXT));
    expect((await followThroughDisconnects(client, next.job_id)).at(-1)?.name).toBe('completed');
    expect(await system.findInvariantViolations()).toEqual([]);
  });

  const doneChunks = (jobId: string) =>
    system.rows<{ uncut: boolean }>(
      `SELECT name, fence, stage.finished_at, steps_total IS NULL AS uncut
       FROM job_stage stage JOIN job ON id = job_id WHERE id = $1 AND queue = 'chunk' AND state = 'done'`,
      jobId,
    );
  const running = async (jobId: string) => {
    const stages = `SELECT name, fence FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'running'`;
    return system.rows<{ name: string; fence: number }>(stages, jobId);
  };
  const countStoredAudio = async () =>
    (await system.rows('SELECT id FROM job WHERE audio_deleted_at IS NULL')).length;
  /** Deliveries of chunks that the first processor has ended, with any result. */
  const chunksEnded = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const counts = text.matchAll(
      /^zephyr_queue_message_duration_seconds_count\{.*queue="chunk".*\} (\d+)$/gm,
    );
    // A delivery without a due stage had no chunk.
    return [...counts].reduce(
      (sum, [line, count]) => (line.includes('"idle"') ? sum : sum + Number(count)),
      0,
    );
  };
});

async function speechBeforeHoursOfSilence(): Promise<Bytes> {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-hours-'));
  try {
    const speechPath = join(folder, 'said.wav');
    await writeFile(speechPath, await synthesizeSpeech(TEXT));
    return new Uint8Array(
      await readFile(
        await makeMedia(folder, 'hours.flac', '-i', speechPath, '-af', `apad=whole_dur=${HOURS * 3600}`),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
