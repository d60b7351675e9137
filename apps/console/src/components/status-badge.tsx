import type { Job } from '../api/jobs.ts';
import { texts } from '../texts/index.ts';

const STYLES = {
  processing: 'border-accent text-accent',
  completed: 'border-success bg-success-soft text-success',
  failed: 'border-danger bg-danger-soft text-danger',
};

const CANCELLED_STYLE = 'border-line bg-raised text-muted';

export function JobStatusBadge({
  job: { status, failed_stage },
}: {
  job: Pick<Job, 'status' | 'failed_stage'>;
}) {
  const isCancelled = failed_stage === 'cancelled';
  const text = isCancelled ? texts.jobs.cancelled : texts.jobs.statuses[status];
  return (
    <span
      className={`inline-block rounded border px-1.5 py-0.5 text-xs font-medium ${isCancelled ? CANCELLED_STYLE : STYLES[status]}`}
    >
      {text}
    </span>
  );
}
