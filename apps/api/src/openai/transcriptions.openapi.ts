import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse } from '@nestjs/swagger';
import { ApiProblems, ApiRefusalHeaders, ApiRoute } from '../openapi/api-route.js';
import { headerRefs, optionalHeaders } from '../openapi/headers.js';
import { FORM_EXAMPLE, FORM_SCHEMA } from './description/form-schema.js';
import { TRANSCRIPTION_ANSWERS } from './description/transcription-answers.js';

const OK = {
  description: 'The transcript, in the format that was asked for.',
  headers: headerRefs('X-Job-Id', 'X-Should-Retry'),
  content: TRANSCRIPTION_ANSWERS,
} as unknown as Parameters<typeof ApiOkResponse>[0];

type Form = Parameters<typeof ApiBody>[0];

export function ApiTranscriptions(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'createTranscription',
      summary: 'Send a recording as a form and read its transcript',
      description: `A form with one file of up to 200 MB, of known length or in chunks; the fields may stand before or behind the file. The request is held until its job has ended. The job is one like any other, and goes on when its client leaves. Requests count as those of \`POST /api/v1/transcribe\`.

Every answer for which there is a job says so in \`X-Job-Id\`, and \`X-Should-Retry: false\`, so that OpenAI’s clients do not send, and pay for, the recording again. For long files set \`stream\`: the answer begins at once, comments keep it alive, and an error comes as an event.`,
    }),
    ApiConsumes('multipart/form-data'),
    ApiBody({
      required: true,
      schema: FORM_SCHEMA,
      examples: { subtitles: { summary: 'Subtitles', value: FORM_EXAMPLE } },
    } as Form),
    ApiOkResponse(OK),
    ApiRefusalHeaders(optionalHeaders('X-Job-Id', 'X-Should-Retry')),
    ApiProblems(
      'validation_failed',
      'audio_refused',
      'job_cancelled',
      'file_too_large',
      'out_of_credit',
      'job_failed',
    ),
  );
}
