import { JOB_HOOKS_TOKEN, type JobHooks, type QueueMessageReport, StageRunner } from '@app/jobs';
import type { Provider } from '@nestjs/common';
import { AggregationSlots } from '../aggregation/aggregation-slots.js';
import { AggregationStage } from '../aggregation/aggregation.stage.js';
import { ChunkSlots } from '../chunk/chunk-slots.js';
import { ChunkStage } from '../chunk/chunk.stage.js';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';
import { ShortRecordingRunner } from './short-recording-runner.js';

/** `ShortRecordingRunner` and the slots that it shares with the consumers. */
export function buildShortRecordingsProviders(report: (report: QueueMessageReport) => void): Provider[] {
  return [
    slotsProvider(ChunkSlots, 'chunk'),
    slotsProvider(AggregationSlots, 'aggregation'),
    {
      provide: ShortRecordingRunner,
      inject: [StageRunner, ChunkStage, AggregationStage, ChunkSlots, AggregationSlots, JOB_HOOKS_TOKEN],
      useFactory: (
        runner: StageRunner,
        chunk: ChunkStage,
        aggregation: AggregationStage,
        slots: ChunkSlots,
        aggregationSlots: AggregationSlots,
        hooks: JobHooks,
      ) => new ShortRecordingRunner({ runner, chunk, aggregation, slots, aggregationSlots, hooks, report }),
    },
  ];
}

/** As many as stages of the queue run at a time. */
function slotsProvider(Slots: typeof ChunkSlots, queue: 'chunk' | 'aggregation'): Provider {
  const useFactory = ({ concurrency }: ProcessorOptions) => new Slots(concurrency[queue]);
  return { provide: Slots, inject: [PROCESSOR_OPTIONS_TOKEN], useFactory };
}
