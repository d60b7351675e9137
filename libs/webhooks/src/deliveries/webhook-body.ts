import type { OutputType } from '@app/jobs';
import type { ClaimedDelivery } from './webhook-delivery.repository.js';

/** Makes a fresh download address of a finished transcript. */
export type CreateDownloadUrl = (job: {
  id: string;
  resultKey: string;
  outputType: OutputType;
}) => Promise<string>;

/** The text of the notification. */
export async function composeWebhookBody(
  delivery: ClaimedDelivery,
  createDownloadUrl: CreateDownloadUrl,
): Promise<string> {
  const { jobId, event, resultKey, outputType, failedStage, reason } = delivery;
  const metadata = delivery.metadata && { metadata: delivery.metadata };
  if (event === 'failed')
    return JSON.stringify({ job_id: jobId, status: event, step: failedStage, reason, ...metadata });
  // Null only where the transcript was not kept until the notification could be made.
  const address = resultKey === null ? null : await createDownloadUrl({ id: jobId, resultKey, outputType });
  return JSON.stringify({ job_id: jobId, status: event, download_url: address, ...metadata });
}
