import {
  type BullJob,
  type QueueHandlerOutcome,
  type QueueName,
  buildStageLogFields,
  type StageRunOutcome,
  StageRunner,
  type StageWork,
} from '@app/jobs';
import { withLogFields } from '@app/runtime';
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { AggregationStage } from '../aggregation/aggregation.stage.js';
import { ChunkStage } from '../chunk/chunk.stage.js';
import { PreprocessStage } from '../preprocess/preprocess.stage.js';

const MESSAGE_OUTCOMES: Record<StageRunOutcome, QueueHandlerOutcome> = {
  committed: 'done',
  'nothing to do': 'idle',
  stale: 'stale',
  returned: 'retried',
  failed: 'failed',
};

/** A message is only a wake-up: the runner claims the stage that is next, so that accounts get fair shares. */
abstract class StageProcessor extends WorkerHost {
  protected abstract readonly stage: { work: StageWork };

  constructor(private readonly runner: StageRunner) {
    super();
  }

  async process(
    { queueName }: BullJob,
    _token?: string,
    shutdown?: AbortSignal,
  ): Promise<QueueHandlerOutcome> {
    const result = await this.runner.run(queueName as QueueName, shutdown as AbortSignal, (stage, ...given) =>
      withLogFields({ ...buildStageLogFields(stage) }, () => this.stage.work(stage, ...given)),
    );
    return MESSAGE_OUTCOMES[result];
  }
}

@Processor('preprocess')
export class PreprocessProcessor extends StageProcessor {
  constructor(
    runner: StageRunner,
    protected readonly stage: PreprocessStage,
  ) {
    super(runner);
  }
}

@Processor('chunk')
export class ChunkProcessor extends StageProcessor {
  constructor(
    runner: StageRunner,
    protected readonly stage: ChunkStage,
  ) {
    super(runner);
  }
}

@Processor('aggregation')
export class AggregationProcessor extends StageProcessor {
  constructor(
    runner: StageRunner,
    protected readonly stage: AggregationStage,
  ) {
    super(runner);
  }
}
