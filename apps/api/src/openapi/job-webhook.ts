import { METADATA_SCHEMA } from '../jobs/job-metadata.js';
import { type Operation, type Parameter, type Schema, toSchemaRef } from './document-types.js';
import { EXAMPLE_VALUES } from './example-values.js';

const header = (name: string, description: string, example: string, required = true): Parameter => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', examples: [example] },
});

const METADATA: Schema = {
  ...METADATA_SCHEMA,
  description: 'As given at creation; absent without any.',
};
const JOB_ID: Schema = { type: 'string', format: 'uuid', examples: [EXAMPLE_VALUES.jobId] };

export const WEBHOOK_BODY_SCHEMAS: Record<string, Schema> = {
  JobNotification: {
    description: 'The body of a webhook, one of two kinds by `status`.',
    oneOf: [toSchemaRef('CompletedNotification'), toSchemaRef('FailedNotification')],
  },
  CompletedNotification: {
    type: 'object',
    description: 'The transcript is ready.',
    properties: {
      job_id: JOB_ID,
      status: { const: 'completed', description: 'How the job ended.' },
      download_url: {
        type: ['string', 'null'],
        format: 'uri',
        description:
          'Signed URL of the transcript. `null` only if it was deleted before the webhook was sent.',
      },
      metadata: METADATA,
    },
    required: ['job_id', 'status', 'download_url'],
  },
  FailedNotification: {
    type: 'object',
    description: 'There will be no transcript.',
    properties: {
      job_id: JOB_ID,
      status: { const: 'failed', description: 'How the job ended.' },
      step: { type: 'string', description: 'Where it failed.' },
      reason: { type: 'string', description: 'Why, in words for people.' },
      metadata: METADATA,
    },
    required: ['job_id', 'status', 'step', 'reason'],
  },
};

const DESCRIPTION = `One POST to \`callback_url\` when the job has completed or failed for good, and one to each endpoint of the account with that event. A test event, which is sent on request, has the status \`test\` and no job. Each is sent at least once: use \`X-SVC-Delivery\` to recognise duplicates.

Any 2xx within 10 seconds acknowledges it. A 5xx, a timeout and a failed connection are retried after about 5, 30 and 120 seconds, four attempts in all. Any 3xx (never followed) and any 4xx is final.

The signature is the HMAC-SHA256 of the raw body under the signing secret of your account (the whole text, \`whsec_\` included). Compute it over the raw bytes before parsing them, and compare in constant time:

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

export const JOB_WEBHOOK_OPERATION: Operation = {
  operationId: 'jobEnded',
  tags: ['webhooks'],
  summary: 'A job with a callback_url has ended',
  description: DESCRIPTION,
  security: [],
  parameters: [
    header(
      'X-SVC-Signature',
      '`sha256=` and the HMAC-SHA256 of the raw body in hex.',
      EXAMPLE_VALUES.webhookSignature,
    ),
    header(
      'X-SVC-Signature-Previous',
      'The same under the previous secret, during the overlap of a rotation.',
      EXAMPLE_VALUES.webhookSignature,
      false,
    ),
    header('X-SVC-Event', '`completed`, `failed` or `test`, as `status` in the body.', 'completed'),
    header('X-SVC-Delivery', 'Id of the delivery, the same for every attempt.', EXAMPLE_VALUES.deliveryId),
    header('webhook-id', 'The same id, for libraries of Standard Webhooks.', EXAMPLE_VALUES.deliveryId),
    header('webhook-timestamp', 'Unix time of the attempt in seconds.', '1764417600'),
    header(
      'webhook-signature',
      'Signatures of Standard Webhooks, divided by blanks; two during the overlap of a rotation.',
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ),
    header('User-Agent', 'The sender.', 'Service-Webhook/1'),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: toSchemaRef('JobNotification'),
        examples: {
          completed: {
            summary: 'Completed',
            value: {
              job_id: EXAMPLE_VALUES.jobId,
              status: 'completed',
              download_url: EXAMPLE_VALUES.downloadUrl,
            },
          },
          failed: {
            summary: 'Failed',
            value: {
              job_id: EXAMPLE_VALUES.jobId,
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
    '3XX': { description: 'Final: neither followed nor retried.' },
    '4XX': { description: 'Final: not retried.' },
    '5XX': { description: 'Retried, four attempts in all.' },
  },
};
