import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isNotFoundError } from '../../api/client.ts';
import { jobQueryOptions, mayJobChange, type JobDetails } from '../../api/jobs.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { LoadErrorNotice, Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { WebhookUrlWithMaskedSecrets } from '../../components/webhook-url-with-masked-secrets.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { JobStatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { toOptionLabelAndText, toOptionEntriesInFormOrder } from '../../jobs/option-label-and-text.ts';
import { describeStage } from '../../jobs/describe-stage.ts';
import { describeJobCreator } from '../../jobs/describe-job-creator.ts';
import { formatDurationAsClock } from '../../lib/format.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { useFocusAfterRemoval } from '../../lib/use-focus-after-removal.ts';
import { texts } from '../../texts/index.ts';
import { JobActions } from './job-actions.tsx';
import { JobTimeline } from './job-timeline.tsx';
import { useReloadJobOnEvents } from './use-job-events.ts';

export function JobPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const { jobId } = useParams({ from: '/shell/jobs/$jobId' });
  const accountId = session.account?.id ?? '';
  const job = useQuery(jobQueryOptions(accountId, jobId));
  // Somebody may delete it while it is shown.
  const isGone = isNotFoundError(job.error);
  useReloadJobOnEvents(accountId, jobId, job.data !== undefined && mayJobChange(job));
  const actions = useFocusAfterRemoval<HTMLDivElement>(Number(job.data?.status === 'processing'));
  const back = (
    <Link to="/jobs" className="text-accent inline-flex min-h-9 items-center underline">
      {texts.job.back}
    </Link>
  );
  if (!job.data || isGone)
    return (
      <Page title={texts.job.title} actions={back}>
        {job.isError ? (
          <LoadErrorNotice error={job.error} onRetry={() => void job.refetch()} />
        ) : (
          <Skeleton rows={8} />
        )}
      </Page>
    );
  const mayWrite = session.account?.permissions.includes('jobs.write') ?? false;
  return (
    <Page title={job.data.file_name ?? texts.job.unnamed} actions={back}>
      <div ref={actions} tabIndex={-1}>
        <JobActions key={jobId} accountId={accountId} job={job.data} mayWrite={mayWrite} />
      </div>
      {job.data.status === 'processing' && <Progress job={job.data} />}
      {job.data.status === 'failed' && <Failure job={job.data} />}
      <Overview job={job.data} />
      <JobTimeline job={job.data} />
      <Options job={job.data} />
      <Section title={texts.job.deliveries}>
        <p className="text-muted">{texts.job.deliveriesText}</p>
        <Link to="/webhooks" search={{ job: jobId }} className="text-accent self-start hover:underline">
          {texts.job.showDeliveries}
        </Link>
      </Section>
    </Page>
  );
}

function Progress({ job: { steps_done: done, steps_total: total } }: { job: JobDetails }) {
  return (
    <Section title={texts.job.progress}>
      <p role="status">{total === null ? texts.job.preparing : texts.jobs.steps(done, total)}</p>
      {total === null ? (
        <progress aria-label={texts.job.progress} className="w-full" />
      ) : (
        <progress aria-label={texts.job.progress} className="w-full" value={done} max={total} />
      )}
    </Section>
  );
}

function Failure({ job: { reason, advice, failed_stage } }: { job: JobDetails }) {
  return (
    <Notice kind={failed_stage === 'cancelled' ? 'info' : 'error'}>
      <p className="font-semibold break-words">{reason}</p>
      {advice !== null && (
        <p>
          {texts.job.whatToDo}: {advice}
        </p>
      )}
      {failed_stage !== null && failed_stage !== 'cancelled' && (
        <p className="text-muted text-xs">
          {texts.job.failedIn}: {describeStage(failed_stage)}
        </p>
      )}
    </Notice>
  );
}

function Overview({ job }: { job: JobDetails }) {
  const { job: t } = texts;
  const unknown = job.status === 'processing' ? t.notYet : null;
  return (
    <Section title={t.overview}>
      <Facts
        facts={[
          [texts.jobs.status, <JobStatusBadge key="status" job={job} />],
          [texts.jobs.created, <Time key="created" value={job.created_at} />],
          [
            job.status === 'completed' ? t.completed : t.ended,
            job.finished_at && <Time key="ended" value={job.finished_at} />,
          ],
          [
            texts.jobs.duration,
            job.duration_seconds === null ? unknown : formatDurationAsClock(job.duration_seconds),
          ],
          [t.credits, job.credits === null ? unknown : formatNumber(job.credits)],
          [texts.jobs.by, describeJobCreator(job)],
          [t.source, t.sources[job.source]],
          [t.audioDeleted, job.audio_deleted_at && <Time key="audio" value={job.audio_deleted_at} />],
          [
            t.transcriptExpires,
            job.transcript_expires_at && <Time key="expires" value={job.transcript_expires_at} />,
          ],
          [t.id, <Code key="id" text={job.job_id} />],
          [t.requestId, job.request_id && <Code key="request" text={job.request_id} />],
        ]}
      />
    </Section>
  );
}

function Options({ job: { options, metadata } }: { job: JobDetails }) {
  const entries = Object.entries(metadata);
  return (
    <>
      <Section title={texts.job.options}>
        <Facts facts={toOptionEntriesInFormOrder(options).map(([name, value]) => toFact(name, value))} />
      </Section>
      <Section title={texts.job.metadata}>
        {entries.length === 0 ? (
          <p className="text-muted">{texts.job.noMetadata}</p>
        ) : (
          <Facts facts={entries} />
        )}
      </Section>
    </>
  );
}

function toFact(name: string, value: unknown): [name: string, value: ReactNode] {
  const [label, text] = toOptionLabelAndText(name, value);
  const isUrl = name === 'callback_url' && typeof value === 'string';
  return [label, isUrl ? <WebhookUrlWithMaskedSecrets key={name} url={value} /> : text];
}

/** Facts without a value are left out. */
function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(0,7.25rem)_minmax(0,1fr)] gap-x-3 gap-y-1.5 sm:gap-x-4 sm:grid-cols-[minmax(0,12rem)_minmax(0,1fr)]">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} className="contents">
            <dt className="text-muted break-words">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function Code({ text }: { text: string }) {
  return <code className="text-xs break-all">{text}</code>;
}
