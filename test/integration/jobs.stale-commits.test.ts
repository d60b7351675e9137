import { inTransaction } from '@app/database';
import {
  addOrRestartStages,
  buildChunkStageName,
  type ClaimedStage,
  completeStageAndRecordStep,
  completeJobWithLastStage,
  type StageCommitCallback,
  type StageName,
} from '@app/jobs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type AddAndClaimFirstChunks,
  createPreprocessCommitCallbackClaimingChunks,
  createPreprocessCommitCallback,
} from '../../apps/processor/src/preprocess/preprocess-commits.js';
import { createJobWorld, type World } from '../support/job-world.js';

const { signal } = new AbortController();
const CHUNK = { key: 'k', start: 0, end: 1 };
const FIRST_CHUNKS = { duration: 1, maxClaimed: 1 };
const FILE = {
  duration: 1,
  declaredSeconds: null,
  damagedSeconds: null,
  multichannel: false,
  chunks: [CHUNK],
};

/** Another worker claims the stage. */
const TAKE_OVER = `
  UPDATE job_stage SET state = 'running', fence = fence + 1, lease_until = now() + interval '1 minute'
  WHERE job_id = $1 AND name = $2`;

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

const COMMITS: [StageName, (stage: ClaimedStage) => StageCommitCallback][] = [
  ['preprocess', (stage) => createPreprocessCommitCallback(stage, FILE, false, world.hooks)],
  [
    'preprocess',
    (stage) => async (tx) => {
      const add: AddAndClaimFirstChunks = (...given) => world.runner().addFirstChunks(...given, FIRST_CHUNKS);
      await createPreprocessCommitCallbackClaimingChunks(stage, FILE, true, world.hooks, add)(tx);
    },
  ],
  ['chunk:0', (stage) => (tx) => completeStageAndRecordStep(tx, stage, { words: [] })],
  [
    'aggregation',
    (stage) => (tx) => completeJobWithLastStage(tx, world.hooks, 'k', { stage, steps: [stage.name] }),
  ],
];

it.each(COMMITS)('a worker that lost the lease of %s commits nothing', async (name, buildCommit) => {
  const id = await world.newJob();
  const later = [
    { name: buildChunkStageName(0), chunkIndex: 0, input: CHUNK },
    { name: 'aggregation' as const, chunkIndex: 0, input: null },
  ].filter((stage) => stage.name === name);
  await inTransaction(world.dataSource, (tx) => addOrRestartStages(tx, id, later));
  await world.rows('UPDATE job SET steps_total = 2 WHERE id = $1', id);
  const readRows = () =>
    world.rows(
      `SELECT status, event_seq, steps_done, steps_total, duration, stage.name, stage.state, stage.fence,
         (SELECT count(*) FROM job_event WHERE job_id = job.id) AS events,
         (SELECT count(*) FROM credit_entry WHERE job_id = job.id) AS entries
       FROM job JOIN job_stage stage ON stage.job_id = job.id WHERE job.id = $1 ORDER BY stage.name`,
      id,
    );
  let before: unknown;
  const result = await world.run(id, name, signal, async (stage) => {
    await world.loseLease(id);
    await world.rows(TAKE_OVER, id, name);
    before = await readRows();
    return buildCommit(stage);
  });
  expect(result).toBe('stale');
  expect(await readRows()).toEqual(before);
});
