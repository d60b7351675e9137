import { JOB_HOOKS_TOKEN, type JobHooks, type QueueMessageReport, StageRunner } from '@app/jobs';
import type { Provider } from '@nestjs/common';
import { AggregationSlots } from '../aggregation/aggregation-slots.js';
import { AggregationStage } from '../aggregation/aggregation.stage.js';
import { ChunkSlots } from '../chunk/chunk-slots.js';
import { ChunkStage } from '../chunk/chunk.stage.js';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';
import { StageHandOverRunner } from './stage-hand-over-runner.js';

/** `StageHandOverRunner` and the slots that it shares with the consumers. */
export function buildStageHandOverProviders(report: (report: QueueMessageReport) => void): Provider[] {
  return [
    slotsProvider(ChunkSlots, 'chunk'),
    slotsProvider(AggregationSlots, 'aggregation'),
    {
      provide: StageHandOverRunner,
      inject: [StageRunner, ChunkStage, AggregationStage, ChunkSlots, AggregationSlots, JOB_HOOKS_TOKEN],
      useFactory: (
        runner: StageRunner,
        chunk: ChunkStage,
        aggregation: AggregationStage,
        slots: ChunkSlots,
        aggregationSlots: AggregationSlots,
        hooks: JobHooks,
      ) => new StageHandOverRunner({ runner, chunk, aggregation, slots, aggregationSlots, hooks, report }),
    },
  ];
}

/** As many as stages of the queue run at a time. */
function slotsProvider(Slots: typeof ChunkSlots, queue: 'chunk' | 'aggregation'): Provider {
  const useFactory = ({ concurrency }: ProcessorOptions) => new Slots(concurrency[queue]);
  return { provide: Slots, inject: [PROCESSOR_OPTIONS_TOKEN], useFactory };
}
