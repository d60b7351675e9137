import type { Operation, Parameter, Schema } from './document-types.js';
import { EXAMPLE } from './examples.js';

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
});

const JOB_ID: Schema = { type: 'string', format: 'uuid', examples: [EXAMPLE.jobId] };

/** The two bodies of a notification. */
export const NOTIFICATION_SCHEMAS: Record<string, Schema> = {
  CompletedNotification: {
    type: 'object',
    description: 'The transcript is ready.',
    properties: {
      job_id: JOB_ID,
      status: { const: 'completed', description: 'What became of the job.' },
      download_url: { type: 'string', format: 'uri', description: 'Where the transcript is.' },
    },
    required: ['job_id', 'status', 'download_url'],
  },
  FailedNotification: {
    type: 'object',
    description: 'There will be no transcript.',
    properties: {
      job_id: JOB_ID,
      status: { const: 'failed', description: 'What became of the job.' },
      step: { type: 'string', description: 'Where it failed.' },
      reason: { type: 'string', description: 'Why, in words for people.' },
    },
    required: ['job_id', 'status', 'step', 'reason'],
  },
};

const DESCRIPTION = `One POST to \`callback_url\` when the job has completed or failed for good. It is promised at least once: keep \`X-SVC-Delivery\` to ignore repetitions.

Any 2xx within 10 seconds acknowledges. A 5xx, no answer in time and no connection are tried again after about 5, 30 and 120 seconds, four attempts in all. Any 3xx (never followed) and any 4xx is final.

The signature is the HMAC-SHA256 of the raw body under the signing secret of your organisation (the whole text, \`whsec_\` included). Compute it over the bytes as they came, before they are parsed, and compare in constant time:

\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto';

function isGenuine(rawBody, header, secret) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', secret).update(rawBody).digest('hex'));
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
\`\`\`

\`\`\`python
import hashlib, hmac

def is_genuine(raw_body: bytes, header: str, secret: str) -> bool:
    expected = "sha256=" + hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, header or "")
\`\`\``;

export const NOTIFICATION: Operation = {
  operationId: 'jobEnded',
  tags: ['webhooks'],
  summary: 'A job with a callback_url has ended',
  description: DESCRIPTION,
  security: [],
  parameters: [
    header(
      'X-SVC-Signature',
      '`sha256=` and the HMAC-SHA256 of the raw body in hex.',
      EXAMPLE.webhookSignature,
    ),
    header('X-SVC-Event', '`completed` or `failed`, as `status` in the body.', 'completed'),
    header('X-SVC-Delivery', 'Id of the delivery, the same for every attempt.', EXAMPLE.deliveryId),
    header('User-Agent', 'Who calls.', 'Service-Webhook/1'),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          oneOf: Object.keys(NOTIFICATION_SCHEMAS).map((name) => ({ $ref: `#/components/schemas/${name}` })),
        },
        examples: {
          completed: {
            summary: 'Completed',
            value: { job_id: EXAMPLE.jobId, status: 'completed', download_url: EXAMPLE.downloadUrl },
          },
          failed: {
            summary: 'Failed',
            value: {
              job_id: EXAMPLE.jobId,
              status: 'failed',
              step: 'preprocess',
              reason: 'The file holds no audio that can be decoded.',
            },
          },
        },
      },
    },
  },
  responses: {
    '2XX': { description: 'Acknowledged.' },
    '4XX': { description: 'Final: not sent again.' },
    '5XX': { description: 'Sent again later, up to four attempts in all.' },
  },
};
