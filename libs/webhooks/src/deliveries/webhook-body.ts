import type { OutputType } from '@app/jobs';
import type { ClaimedDelivery } from './webhook-delivery.repository.js';

export type DownloadUrlFactory = (job: {
  id: string;
  resultKey: string;
  outputType: OutputType;
  hasNamedSpeakers: boolean;
}) => Promise<string>;

/** @throws Error for an event that this version does not know: a newer processor sends the delivery */
export async function composeWebhookBody(
  delivery: ClaimedDelivery,
  createDownloadUrl: DownloadUrlFactory,
): Promise<string> {
  const { jobId, endpointId, event, resultKey, outputType, hasNamedSpeakers, failedStage, reason } = delivery;
  const metadata = delivery.metadata && { metadata: delivery.metadata };
  switch (event) {
    case 'test':
      return JSON.stringify({ status: event, endpoint_id: endpointId });
    case 'failed':
      return JSON.stringify({ job_id: jobId, status: event, step: failedStage, reason, ...metadata });
    case 'completed': {
      // Null only if the transcript was deleted before the first attempt.
      const downloadUrl =
        jobId === null || resultKey === null || outputType === null
          ? null
          : await createDownloadUrl({ id: jobId, resultKey, outputType, hasNamedSpeakers });
      return JSON.stringify({ job_id: jobId, status: event, download_url: downloadUrl, ...metadata });
    }
    default:
      throw new Error(`the webhook event ${String(event satisfies never)} is unknown`);
  }
}
