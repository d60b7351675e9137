import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiQuery } from '@nestjs/swagger';
import { JOB_CREATION_ERROR_CODES } from '../jobs/job-creation-error-codes.js';
import { ApiMetadataQuery } from '../jobs/jobs.openapi.js';
import { JOB_OPTION_SCHEMAS, REDACT_QUERY_SCHEMA } from '../jobs/job-options.openapi.js';
import { ApiEventStream } from '../openapi/api-event-stream.js';
import { ApiErrorCodes, ApiRoute } from '../openapi/api-route.js';
import { toHeaderRefs } from '../openapi/headers.js';
import { TRANSCRIBE_STREAM_EVENTS } from '../streaming/events.openapi.js';
import { DOCUMENTED_AUDIO_TYPES } from './audio-body.js';

const QUERY_OPTION_SCHEMAS = {
  ...JOB_OPTION_SCHEMAS,
  redact: REDACT_QUERY_SCHEMA,
  custom_vocabulary: {
    type: 'string',
    description:
      'Comma-separated terms to bias the recogniser towards. The request line and headers have at most 16 KiB, so about 15,000 percent-encoded characters fit. Send longer lists in the body of `POST /api/v1/upload`.',
    examples: ['Zephyr, diarization'],
  },
} as const;

export function ApiTranscribe(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'transcribe',
      summary: 'Send audio and receive events and the transcript on the same connection',
      description: `For shells and scripts. The body is the audio itself, up to 200 MB, with a Content-Length or chunked. The response starts when the whole body has arrived.

The job continues when the client disconnects; \`GET /api/v1/jobs/{job_id}/stream\` resumes its events. If the transcript cannot be read, the connection is aborted instead of closed.`,
    }),
    ...Object.entries(QUERY_OPTION_SCHEMAS).map(([name, { description, ...schema }]) =>
      ApiQuery({ name, required: false, schema: { ...schema }, description }),
    ),
    ApiMetadataQuery(
      'Metadata entries: one `metadata.KEY=value` per entry. Generated clients write `metadata[KEY]=value`, which means the same.',
    ),
    ApiConsumes(...DOCUMENTED_AUDIO_TYPES, 'audio/*', 'video/*'),
    ApiBody({
      required: true,
      description:
        'The raw bytes of the audio, with any `audio/…` or `video/…` type, `application/ogg` or `application/mp4`; not a form. Without a type they count as `application/octet-stream`.',
      schema: { type: 'string', format: 'binary' },
    }),
    ApiEventStream({
      description: 'The job was created. Its events follow, then the transcript.',
      events: TRANSCRIBE_STREAM_EVENTS,
      headers: toHeaderRefs('X-Job-Id', 'Idempotency-Replayed', 'X-Ignored-Fields'),
    }),
    ApiErrorCodes(...JOB_CREATION_ERROR_CODES),
  );
}
