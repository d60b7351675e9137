export interface RowInvariant {
  invariant: string;
  /** Selects, as `what`, a description of each row that violates the invariant. */
  violationsQuery: string;
}

const JOBS: RowInvariant[] = [
  {
    invariant: 'every job has ended',
    violationsQuery: `SELECT id || ' is ' || status AS what FROM job WHERE status = 'processing'`,
  },
  {
    invariant:
      'exactly the ended jobs have an end time, completed ones a result, failed ones a failed stage and a reason',
    violationsQuery: `
      SELECT id || ' is ' || status AS what FROM job
      WHERE (status <> 'processing') IS DISTINCT FROM (finished_at IS NOT NULL)
        OR (status = 'completed') IS DISTINCT FROM (result_key IS NOT NULL)
        OR (status = 'failed') IS DISTINCT FROM (failed_stage IS NOT NULL AND reason IS NOT NULL)`,
  },
  {
    invariant: 'an ended job has no open stage, and all stages of a completed job are done',
    violationsQuery: `
      SELECT job_id || ' has ' || name || ' ' || state AS what FROM job_stage JOIN job ON job.id = job_id
      WHERE status <> 'processing' AND state IN ('pending', 'running') OR status = 'completed' AND state <> 'done'`,
  },
  { invariant: 'the outbox is empty', violationsQuery: 'SELECT delivery_id AS what FROM outbox' },
];

const EVENTS: RowInvariant[] = [
  {
    invariant: 'the events of a job are numbered from one without a gap',
    violationsQuery: `
      SELECT id || ': ' || event_seq || ' events, ' || COALESCE(numbers, 'none') AS what
      FROM job LEFT JOIN (
        SELECT job_id, string_agg(seq::text, ',' ORDER BY seq) AS numbers FROM job_event GROUP BY job_id
      ) event ON job_id = id
      WHERE COALESCE(numbers, '') IS DISTINCT FROM
        (SELECT COALESCE(string_agg(n::text, ',' ORDER BY n), '') FROM generate_series(1, event_seq) AS n)`,
  },
  {
    invariant: 'only the last event ends the job, with the status of the job',
    violationsQuery: `
      SELECT id || ' ' || status || ': ' || COALESCE(ends, 'none') AS what
      FROM job LEFT JOIN (
        SELECT job_id, string_agg(seq || ' ' || type, ',' ORDER BY seq) AS ends FROM job_event
        WHERE type <> 'progress' GROUP BY job_id
      ) event ON job_id = id
      WHERE ends IS DISTINCT FROM CASE WHEN status = 'processing' THEN NULL ELSE event_seq || ' ' || status END`,
  },
  {
    invariant: 'a step is counted once',
    violationsQuery: `
      SELECT job_id || ' ' || (data->>'step') || ': ' || count(*) AS what FROM job_event
      WHERE type = 'progress' GROUP BY job_id, data->>'step' HAVING count(*) > 1`,
  },
  {
    invariant: 'a completed job has an event for each of its steps',
    violationsQuery: `
      SELECT id || ': ' || steps_done || ' of ' || steps_total AS what FROM job
      WHERE status = 'completed' AND (steps_done IS DISTINCT FROM steps_total OR steps_done IS DISTINCT FROM
        (SELECT count(*) FROM job_event WHERE job_id = id AND type = 'progress'))`,
  },
];

/** At a price of one credit a started second. */
const LEDGER: RowInvariant[] = [
  {
    invariant: 'a balance is the sum of its entries, and never negative',
    violationsQuery: `
      SELECT id || ': ' || balance || ' is not ' || COALESCE(sum, 0) AS what
      FROM account LEFT JOIN (SELECT account_id, sum(amount) AS sum FROM credit_entry GROUP BY account_id) entry
        ON account_id = id
      WHERE balance <> COALESCE(sum, 0) OR balance < 0`,
  },
  {
    invariant: 'a hold is released once, when the job ends, and no job without a hold is charged',
    violationsQuery: `
      SELECT job_id || ' ' || status || ': ' || moves AS what
      FROM job JOIN (
        SELECT job_id, string_agg(kind || ' ' || amount, ', ' ORDER BY id) AS moves,
          COALESCE(sum(amount) FILTER (WHERE kind IN ('hold', 'release')), 0) AS open,
          count(*) FILTER (WHERE kind = 'hold') AS holds, count(*) FILTER (WHERE kind = 'release') AS releases
        FROM credit_entry WHERE job_id IS NOT NULL GROUP BY job_id
      ) entry ON job_id = job.id
      WHERE holds <> 1 OR releases <> CASE WHEN status = 'processing' THEN 0 ELSE 1 END
        OR status <> 'processing' AND open <> 0`,
  },
  {
    invariant: 'a completed job is charged once, for its length, and a failed job costs nothing',
    violationsQuery: `
      SELECT job.id || ' ' || status || ' of ' || COALESCE(duration, 0) || ' s: ' || COALESCE(charges, 'nothing') AS what
      FROM job LEFT JOIN (
        SELECT job_id, string_agg((-amount)::text, ', ') AS charges FROM credit_entry WHERE kind = 'capture' GROUP BY job_id
      ) entry ON job_id = job.id
      WHERE failed_stage IS DISTINCT FROM 'cancelled' AND charges IS DISTINCT FROM
        CASE WHEN status = 'completed' AND duration > 0 THEN ceil(round(duration::numeric, 6))::text END`,
  },
];

/** Endpoints that were created, changed or deleted while jobs ended are not compared with these jobs. */
const DELIVERIES: RowInvariant[] = [
  {
    invariant:
      'an ended job has a delivery for its callback URL and for each endpoint of its account with its event',
    violationsQuery: `
      SELECT job.id || ' ' || status || ' to ' || owed.url AS what
      FROM job CROSS JOIN LATERAL (
        SELECT NULL::uuid AS endpoint_id, options->>'callback_url' AS url WHERE options->>'callback_url' IS NOT NULL
        UNION ALL
        SELECT id, url FROM webhook_endpoint endpoint
        WHERE endpoint.account_id = job.account_id AND enabled AND deleted_at IS NULL
          AND status = ANY (events) AND endpoint.created_at < job.finished_at
      ) owed
      WHERE status <> 'processing' AND NOT EXISTS (
        SELECT FROM webhook_delivery delivery WHERE delivery.job_id = job.id
          AND (delivery.endpoint_id = owed.endpoint_id OR owed.endpoint_id IS NULL AND delivery.url = owed.url))`,
  },
  {
    invariant: 'a delivery about a job is committed with its end and reports its status',
    violationsQuery: `
      SELECT delivery.id || ' ' || event || ' of ' || job_id || ' ' || status AS what
      FROM webhook_delivery delivery JOIN job ON job.id = job_id
      WHERE status = 'processing' OR event <> status OR delivery.created_at IS DISTINCT FROM job.finished_at`,
  },
  {
    invariant: 'no URL has two deliveries about a job',
    violationsQuery: `
      SELECT job_id || ' to ' || url || ': ' || count(*) AS what FROM webhook_delivery
      WHERE job_id IS NOT NULL GROUP BY job_id, url HAVING count(*) > 1`,
  },
  {
    invariant: 'every delivery was delivered, given up or cancelled, and has a row for each attempt',
    violationsQuery: `
      SELECT id || ' ' || state || ' after ' || attempts AS what FROM webhook_delivery
      WHERE state = 'pending' OR attempts = 0 AND state <> 'cancelled'
        OR attempts <> (SELECT count(*) FROM webhook_attempt WHERE delivery_id = id)`,
  },
];

export const ROW_INVARIANTS: readonly RowInvariant[] = [...JOBS, ...EVENTS, ...LEDGER, ...DELIVERIES];
