import { inTransaction } from '@app/database';
import { addOrRestartStages, buildChunkStageName, type StageHandler } from '@app/jobs';
import type { SpeechEngine } from '@app/speech';
import type { ObjectStore } from '@app/storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { buildChunkWork } from '../support/build-chunk-work.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { NO_MODELS } from '../support/no-models.js';
import { TEST_ENGINE } from '../support/test-engine.js';
import { withCallbackBeforeCommit } from '../support/with-callback-before-commit.js';

const neverAborted = new AbortController().signal;

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

const engine = {
  ...TEST_ENGINE,
  transcribe: async () => ({ language: 'en', words: [] }),
} as unknown as SpeechEngine;
const store = { fetchToFile: async () => undefined } as unknown as ObjectStore;
const chunk = new ChunkStage(store, engine, NO_MODELS);

it('the last two chunks of a job that commit concurrently enqueue aggregation once', async () => {
  const id = await world.newJob({ enqueue: false });
  const input = { key: 'k', start: 0, end: 1, speech: [] };
  const stages = [0, 1].map((index) => ({ name: buildChunkStageName(index), chunkIndex: index, input }));
  await inTransaction(world.dataSource, (tx) => addOrRestartStages(tx, id, stages));
  await world.rows(
    `UPDATE job SET steps_total = 3, options = options || '{"speaker_labels": false}' WHERE id = $1`,
    id,
  );
  const chunkWork = buildChunkWork(world.runner(), chunk);
  const run = (work: StageHandler) => world.runner().run('chunk', neverAborted, work);
  let other: Promise<unknown> | undefined;
  const first = withCallbackBeforeCommit(chunkWork, async () => {
    other = run(chunkWork);
    await world.waitForBlockedTransaction();
  });
  expect(await run(first)).toBe('committed');
  expect(await other).toBe('committed');
  expect(
    await world.rows(`SELECT name FROM job_stage WHERE job_id = $1 AND queue = 'aggregation'`, id),
  ).toEqual([{ name: 'aggregation' }]);
});
