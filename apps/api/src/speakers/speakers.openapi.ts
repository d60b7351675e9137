import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ApiJobParam } from '../jobs/jobs.openapi.js';
import { ApiErrorCodes, ApiRoute } from '../openapi/api-route.js';
import { TRANSCRIPT_ERROR_CODES } from '../transcripts/assert-transcript-available.js';
import { SpeakersResponse } from './speakers.dto.js';

export function ApiNameSpeakers(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'nameSpeakers',
      summary: 'Name the speakers of a completed job',
      description:
        'All formats show the names from then on, also at a `download_url` that is retrieved later. The last request that names a label wins.',
    }),
    ApiJobParam(),
    ApiOkResponse({ type: SpeakersResponse, description: 'All labels with their names.' }),
    ApiErrorCodes(...TRANSCRIPT_ERROR_CODES, 'job_not_found', 'validation_failed'),
  );
}
