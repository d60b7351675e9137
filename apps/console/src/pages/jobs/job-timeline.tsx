import type { JobDetails } from '../../api/jobs.ts';
import { Section } from '../../components/page.tsx';
import { describeStage } from '../../jobs/describe-stage.ts';
import { formatDateTime, formatElapsedSinceStart } from '../../lib/format.ts';
import { texts } from '../../texts/index.ts';

interface TimelineEntry {
  at: string;
  title: string;
  detail?: string | undefined;
}

/** What happened when, with the time since the creation. */
export function JobTimeline({ job }: { job: JobDetails }) {
  const { events: titles } = texts.job;
  const entries: TimelineEntry[] = [
    { at: job.created_at, title: titles.created },
    ...(job.queued_at === null ? [] : [{ at: job.queued_at, title: titles.queued }]),
    ...job.events.map(({ event, at, data }) => ({
      at,
      title: data.step === 'cancelled' ? titles.cancelled : titles[event],
      detail:
        event === 'progress'
          ? texts.job.stepOf(describeStage(data.step ?? ''), data.completed ?? 0, data.total ?? 0)
          : data.reason,
    })),
  ];
  return (
    <Section title={texts.job.timeline}>
      <ol className="flex flex-col gap-1.5">
        {entries.map(({ at, title, detail }) => (
          <li
            key={`${title} ${detail ?? ''}`}
            className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-4 sm:grid-cols-[5rem_12rem_minmax(0,1fr)]"
          >
            <time dateTime={at} title={formatDateTime(at)} className="text-muted text-right tabular-nums">
              {formatElapsedSinceStart(job.created_at, at)}
            </time>
            <span>{title}</span>
            {detail !== undefined && (
              <span className="text-muted break-words max-sm:col-start-2">{detail}</span>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
