import { buildStageLogFields, type ClaimedStage, type StageName } from '@app/jobs';
import { withJobSpan, withLogFields } from '@app/runtime';

/** Log lines of the work name the stage, and its span belongs to the trace of the job. @param name if not that of the stage */
export function runWithStageLogFieldsAndSpan<T>(
  stage: ClaimedStage,
  work: () => Promise<T>,
  name: StageName = stage.name,
): Promise<T> {
  return withLogFields({ ...buildStageLogFields(stage), stage: name }, () => {
    const attributes = { 'zephyr.job_id': stage.jobId, 'zephyr.attempt': stage.attempts };
    return withJobSpan(`stage ${name}`, stage.job.traceparent, { attributes }, work);
  });
}
