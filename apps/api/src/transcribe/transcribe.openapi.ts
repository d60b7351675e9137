import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiQuery } from '@nestjs/swagger';
import { REPEAT_PROBLEMS } from '../idempotency/idempotency.openapi.js';
import { OPTION } from '../jobs/job-options.openapi.js';
import { ApiEvents } from '../openapi/api-events.js';
import { ApiProblems, ApiRoute } from '../openapi/api-route.js';
import { headerRefs } from '../openapi/headers.js';
import { EVENTS } from '../streaming/events.openapi.js';
import { AUDIO_TYPES } from './audio-body.js';

/** Options that are given in the query. */
const QUERY = {
  ...OPTION,
  custom_vocabulary: {
    type: 'string',
    description: 'Terms to listen for, separated by commas.',
    examples: ['Zephyr, diarization'],
  },
} as const;

/** The description of the route: its options are query parameters, its body is audio, its answer a stream. */
export function ApiTranscribe(): MethodDecorator {
  const { accepted, waiting, progress, completed, failed, transcript } = EVENTS;
  return applyDecorators(
    ApiRoute({
      id: 'transcribe',
      summary: 'Send audio and read events and the transcript on the same connection',
      description: `For shells and scripts. The body is the audio itself, of known length or in chunks, up to 200 MB. It is taken in whole, then the answer begins.

The job goes on when its client leaves; \`GET /api/v1/jobs/{job_id}/stream\` takes up its events. When the transcript cannot be read the connection is cut instead of ended.`,
    }),
    ...Object.entries(QUERY).map(([name, { description, ...schema }]) =>
      ApiQuery({ name, required: false, schema: { ...schema }, description }),
    ),
    ApiConsumes(...AUDIO_TYPES),
    ApiBody({
      required: true,
      description: 'The bytes of the audio.',
      schema: { type: 'string', format: 'binary' },
    }),
    ApiEvents({
      description: 'The job was created; its events follow, and the transcript at last.',
      events: [accepted, waiting, progress, completed, failed, transcript],
      headers: headerRefs('X-Job-Id', 'Idempotency-Replayed'),
    }),
    ApiProblems('out_of_credit', 'file_too_large', 'validation_failed', ...REPEAT_PROBLEMS),
  );
}
