import {
  type BullJob,
  type QueueHandlerOutcome,
  type QueueName,
  buildStageLogFields,
  type StageRunOutcome,
  StageRunner,
  type StageWork,
} from '@app/jobs';
import { withJobSpan, withLogFields } from '@app/runtime';
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { AggregationStage } from '../aggregation/aggregation.stage.js';
import { ChunkStage } from '../chunk/chunk.stage.js';
import { FetchStage } from '../fetch/fetch.stage.js';
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
      withLogFields({ ...buildStageLogFields(stage) }, () => {
        const attributes = { 'zephyr.job_id': stage.jobId, 'zephyr.attempt': stage.attempts };
        const work = () => this.stage.work(stage, ...given);
        return withJobSpan(`stage ${stage.name}`, stage.job.traceparent, { attributes }, work);
      }),
    );
    return MESSAGE_OUTCOMES[result];
  }
}

/**
 * Claims until nothing is left: the message of a stage may have found its account at the limit of concurrent
 * fetches, and no other message follows when one of them ends.
 */
@Processor('fetch')
export class FetchProcessor extends StageProcessor {
  constructor(
    runner: StageRunner,
    protected readonly stage: FetchStage,
  ) {
    super(runner);
  }

  override async process(
    message: BullJob,
    token?: string,
    shutdown?: AbortSignal,
  ): Promise<QueueHandlerOutcome> {
    let last = await super.process(message, token, shutdown);
    for (let next = last; next !== 'idle'; next = await super.process(message, token, shutdown)) {
      last = next;
      if (shutdown?.aborted === true) break;
    }
    return last;
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
