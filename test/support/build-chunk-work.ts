import type { ClaimedStage, JobHooks, StageCommitWithNextStages, StageRunner } from '@app/jobs';
import { AggregationSlots } from '../../apps/processor/src/aggregation/aggregation-slots.js';
import type { AggregationStage } from '../../apps/processor/src/aggregation/aggregation.stage.js';
import type { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { ChunkSlots } from '../../apps/processor/src/chunk/chunk-slots.js';
import { StageHandOverRunner } from '../../apps/processor/src/hand-over/stage-hand-over-runner.js';

type ChunkWork = (stage: ClaimedStage, signal: AbortSignal) => Promise<StageCommitWithNextStages>;

/** As a processor works on a chunk while no slot for aggregation is free: the last chunk queues it. */
export function buildChunkWork(runner: StageRunner, chunk: ChunkStage): ChunkWork {
  const stages = new StageHandOverRunner({
    ...{ runner, chunk, slots: new ChunkSlots(0), aggregationSlots: new AggregationSlots(0) },
    ...{ aggregation: {} as AggregationStage, hooks: {} as JobHooks, report: () => undefined },
  });
  return (stage, signal) => stages.workOnChunk(stage, signal);
}
