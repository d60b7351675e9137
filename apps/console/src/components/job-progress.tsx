import type { JobProgress } from '../jobs/use-job-progress.ts';
import { texts } from '../texts/index.ts';

/** The state of a job in words, with a bar while it is in process. */
export function JobProgressBar({ progress, label }: { progress: JobProgress; label: string }) {
  const { status, done, total } = progress;
  return (
    <div className="flex flex-col gap-1">
      <p role="status" className={status === 'failed' ? 'text-danger break-words' : 'break-words'}>
        {describeProgress(progress)}
      </p>
      {status === 'processing' && (
        <progress
          className="h-2 w-full"
          aria-label={label}
          {...(total !== null && { max: total, value: done })}
        />
      )}
    </div>
  );
}

function describeProgress({ status, isKnown, done, total, position, reason }: JobProgress): string {
  if (!isKnown) return texts.jobProgress.loading;
  if (status === 'completed') return texts.jobProgress.completed;
  if (status === 'failed')
    return reason === null ? texts.jobProgress.failed : texts.jobProgress.failedBecause(reason);
  if (position !== null) return texts.jobProgress.inQueue(position);
  if (total !== null) return texts.jobProgress.steps(done, total);
  return texts.jobProgress.preparing;
}
