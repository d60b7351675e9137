import type { RunningService } from '../../e2e/support/running-service.js';

/** Writes jobs named `recording 1.mp3` and so on, each a minute older than the one before; every tenth has failed. */
export async function insertEndedJobs(
  service: RunningService,
  accountId: string,
  count: number,
): Promise<void> {
  await service.query(
    `INSERT INTO job (id, account_id, created_at, status, source, options, metadata, audio_key, content_type,
       queued_at, finished_at, audio_deleted_at, duration, failed_stage, reason)
     SELECT gen_random_uuid(), $1, now() - n * interval '1 minute', CASE n % 10 WHEN 0 THEN 'failed' ELSE 'completed' END,
       'upload', '{"output_type": "json", "callback_url": null}', jsonb_build_object('file_name', 'recording ' || n || '.mp3'),
       'audio/none', 'audio/mpeg', now(), now(), now(), CASE WHEN n % 10 > 0 THEN n END,
       CASE n % 10 WHEN 0 THEN 'preprocess' END,
       CASE n % 10 WHEN 0 THEN 'The file holds no audio that can be decoded.' END
     FROM generate_series(1, $2::int) n`,
    [accountId, count],
  );
}
