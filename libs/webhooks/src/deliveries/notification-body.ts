import { rowsOf } from '@app/database';
import type { OutputType } from '@app/jobs';
import type { DataSource } from 'typeorm';
import type { ClaimedDelivery } from './claim-delivery.js';

/** Makes a fresh download address of a finished transcript. */
export type DownloadAddress = (job: {
  id: string;
  resultKey: string;
  outputType: OutputType;
}) => Promise<string>;

/** The text of the notification. */
export async function composeBody(
  delivery: ClaimedDelivery,
  downloadAddress: DownloadAddress,
): Promise<string> {
  const { jobId, event, resultKey, outputType, failedStage, reason } = delivery;
  if (event === 'failed') return JSON.stringify({ job_id: jobId, status: event, step: failedStage, reason });
  // Null only where the transcript was not kept until the notification could be made.
  const address = resultKey === null ? null : await downloadAddress({ id: jobId, resultKey, outputType });
  return JSON.stringify({ job_id: jobId, status: event, download_url: address });
}

/**
 * Keeps the text, so that every attempt sends the same bytes.
 * @returns false when the delivery is in other hands by now
 */
export async function freezeBody(
  dataSource: DataSource,
  { id, fence }: ClaimedDelivery,
  body: string,
): Promise<boolean> {
  const kept = await rowsOf(
    dataSource,
    `UPDATE webhook_delivery SET body = $3 WHERE id = $1 AND fence = $2 AND state = 'pending' RETURNING id`,
    [id, fence, body],
  );
  return kept.length === 1;
}
