import { buildStageLogFields, type ClaimedStage, getStageQueue, type StageRunnerOptions } from '@app/jobs';
import { withJobSpan, withLogFields } from '@app/runtime';

/** Log lines of the run name the stage, and its span belongs to the trace of the job. */
export const runStageInSpanWithLogFields: NonNullable<StageRunnerOptions['wrapRun']> = (stage, run) =>
  withLogFields(buildStageLogFields(stage), () =>
    withJobSpan(
      buildStageSpanName(stage),
      stage.job.traceparent,
      { attributes: buildAttributes(stage) },
      async (span) => {
        const outcome = await run();
        span.setAttribute('zephyr.outcome', outcome);
        return outcome;
      },
    ),
  );

/** Without the number of a chunk: names are few, so that tools can group by them. */
function buildStageSpanName({ name }: ClaimedStage): string {
  return `stage ${getStageQueue(name)}`;
}

function buildAttributes({ jobId, name, attempts }: ClaimedStage) {
  return { 'zephyr.job_id': jobId, 'zephyr.stage': name, 'zephyr.attempt': attempts };
}
