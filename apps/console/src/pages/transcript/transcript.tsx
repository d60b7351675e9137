import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isNotFoundError } from '../../api/client.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { JobLink } from '../../components/job-link.tsx';
import { JobProgressBar } from '../../components/job-progress.tsx';
import { LoadErrorNotice, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type JobDetails, jobQueryOptions } from '../../api/jobs.ts';
import { useJobProgress } from '../../jobs/use-job-progress.ts';
import { texts } from '../../texts/index.ts';
import { correctionsQueryOptions, transcriptQueryOptions } from '../../transcript/transcript-queries.ts';
import { TranscriptView } from './transcript-view.tsx';

export function TranscriptPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const { jobId: id } = useParams({ from: '/shell/jobs/$jobId/transcript' });
  const accountId = session.account?.id ?? '';
  const job = useQuery(jobQueryOptions(accountId, id));
  const name = job.data?.file_name ?? null;
  return (
    <Page
      title={name === null ? texts.transcript.title : texts.transcript.of(name)}
      actions={<JobLink jobId={id}>{texts.transcript.toJob}</JobLink>}
    >
      {job.isError && (!job.data || isNotFoundError(job.error)) ? (
        <LoadErrorNotice error={job.error} onRetry={() => void job.refetch()} />
      ) : !job.data ? (
        <Skeleton rows={8} />
      ) : (
        <TranscriptOfJob
          accountId={accountId}
          job={job.data}
          error={job.error}
          onReload={() => void job.refetch()}
        />
      )}
    </Page>
  );
}

interface TranscriptOfJobProps {
  accountId: string;
  job: JobDetails;
  /** The error of the last attempt to load the job. */
  error: Error | null;
  onReload: () => void;
}

function TranscriptOfJob({ accountId, job, error, onReload }: TranscriptOfJobProps) {
  if (job.status === 'processing')
    return <UnfinishedJob accountId={accountId} jobId={job.job_id} error={error} onReload={onReload} />;
  if (job.status === 'failed')
    return <Notice kind="error">{texts.transcript.failed(job.reason ?? '')}</Notice>;
  if (!job.transcript_available) return <Notice>{texts.transcript.deleted}</Notice>;
  return <LoadedTranscript accountId={accountId} job={job} />;
}

function UnfinishedJob({
  accountId,
  jobId,
  error,
  onReload,
}: {
  accountId: string;
  jobId: string;
  error: Error | null;
  onReload: () => void;
}) {
  const progress = useJobProgress(accountId, jobId, onReload);
  return (
    <>
      <p>{texts.transcript.notReady}</p>
      <JobProgressBar progress={progress} label={texts.jobProgress.label} />
      {progress.status !== 'processing' && error && <LoadErrorNotice error={error} onRetry={onReload} />}
    </>
  );
}

function LoadedTranscript({ accountId, job }: { accountId: string; job: JobDetails }) {
  const transcript = useQuery(transcriptQueryOptions(accountId, job.job_id));
  const corrections = useQuery(correctionsQueryOptions(accountId, job.job_id));
  if (transcript.isError && !transcript.data)
    return <LoadErrorNotice error={transcript.error} onRetry={() => void transcript.refetch()} />;
  if (!transcript.data || corrections.isPending) return <Skeleton rows={8} />;
  if (transcript.data.segments.length === 0) return <Notice>{texts.transcript.empty}</Notice>;
  return (
    <>
      {corrections.isError && !corrections.data && (
        <LoadErrorNotice error={corrections.error} onRetry={() => void corrections.refetch()} />
      )}
      <TranscriptView
        key={job.job_id}
        accountId={accountId}
        job={job}
        document={transcript.data}
        corrections={corrections.data ?? null}
      />
    </>
  );
}
