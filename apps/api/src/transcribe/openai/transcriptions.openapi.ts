import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse } from '@nestjs/swagger';
import { ApiErrorCodes, ApiErrorHeaders, ApiRoute } from '../../openapi/api-route.js';
import { toHeaderRefs, toOptionalHeaders } from '../../openapi/headers.js';
import { TRANSCRIPTION_FORM_EXAMPLE, TRANSCRIPTION_FORM_SCHEMA } from './openapi/form-schema.js';
import { TRANSCRIPTION_RESPONSE_CONTENT } from './openapi/transcription-responses.js';

const OK_RESPONSE = {
  description: 'The transcript in the requested format.',
  headers: toHeaderRefs('X-Job-Id', 'X-Should-Retry'),
  content: TRANSCRIPTION_RESPONSE_CONTENT,
} as unknown as Parameters<typeof ApiOkResponse>[0];

type Form = Parameters<typeof ApiBody>[0];

export function ApiCreateTranscription(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'createTranscription',
      summary: 'Send a recording as a form and read its transcript',
      description: `The body is a form with one file of up to 200 MB, with a Content-Length or chunked; fields may come before or after the file. The response is sent when the job has ended. The job continues when the client disconnects. Requests share the rate limit of \`POST /api/v1/transcribe\`.

Every response about a job has \`X-Job-Id\` and \`X-Should-Retry: false\`, so that OpenAI’s clients do not send and pay for the recording again. For long files set \`stream\`: the response starts at once, comments keep it alive, and an error is sent as an event.`,
    }),
    ApiConsumes('multipart/form-data'),
    ApiBody({
      required: true,
      schema: TRANSCRIPTION_FORM_SCHEMA,
      examples: { subtitles: { summary: 'Subtitles', value: TRANSCRIPTION_FORM_EXAMPLE } },
    } as Form),
    ApiOkResponse(OK_RESPONSE),
    ApiErrorHeaders(toOptionalHeaders('X-Job-Id', 'X-Should-Retry')),
    ApiErrorCodes(
      'validation_failed',
      'unprocessable_audio',
      'transcript_too_large',
      'job_cancelled',
      'file_too_large',
      'insufficient_credits',
      'quota_exceeded',
      'job_failed',
    ),
  );
}
