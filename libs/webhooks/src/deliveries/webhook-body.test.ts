import { describe, expect, it } from 'vitest';
import { composeWebhookBody } from './webhook-body.js';
import type { ClaimedDelivery } from './webhook-delivery.repository.js';

function compose(fields: object): Promise<string> {
  const delivery = {
    ...{ jobId: 'j', endpointId: 'e', resultKey: 'k', outputType: 'json', failedStage: null, reason: null },
    ...{ hasNamedSpeakers: false, metadata: null, ...fields },
  } as unknown as ClaimedDelivery;
  return composeWebhookBody(delivery, async ({ resultKey }) => `https://store/${resultKey}`);
}

describe('composeWebhookBody', () => {
  it('writes the URL of the transcript for completed, and null after its deletion', async () => {
    const body = { job_id: 'j', status: 'completed', download_url: 'https://store/k' };
    expect(JSON.parse(await compose({ event: 'completed' }))).toEqual(body);
    const withoutTranscript = await compose({ event: 'completed', resultKey: null });
    expect(JSON.parse(withoutTranscript)).toEqual({ ...body, download_url: null });
  });

  it('writes step, reason and metadata for failed', async () => {
    const failure = { failedStage: 'chunk:0', reason: 'no', metadata: { a: 'b' } };
    expect(JSON.parse(await compose({ event: 'failed', ...failure }))).toEqual({
      ...{ job_id: 'j', status: 'failed', step: 'chunk:0', reason: 'no', metadata: { a: 'b' } },
    });
  });

  it('writes only the endpoint for test', async () => {
    const body = await compose({ event: 'test', jobId: null });
    expect(JSON.parse(body)).toEqual({ status: 'test', endpoint_id: 'e' });
  });

  it('throws for an event that a newer version has added, instead of reporting a completed job', async () => {
    await expect(compose({ event: 'started' })).rejects.toThrow('started');
  });
});
