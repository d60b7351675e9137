import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ApiJobParam } from '../jobs/jobs.openapi.js';
import { ApiProblems, ApiRoute } from '../openapi/api-route.js';
import { SpeakersResponse } from './speakers.dto.js';

export function ApiNameSpeakers(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'nameSpeakers',
      summary: 'Give the speakers of a completed job names',
      description:
        'Every format shows them from then on, also at a `download_url` that is retrieved from then on. The last one to name a label decides.',
    }),
    ApiJobParam(),
    ApiOkResponse({ type: SpeakersResponse, description: 'All labels, and the names they have now.' }),
    ApiProblems('transcript_not_ready', 'transcript_too_large', 'job_not_found', 'validation_failed'),
  );
}
