import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse } from '@nestjs/swagger';
import { REPEAT_PROBLEMS, REPLAYED_HEADER } from '../idempotency/idempotency.openapi.js';
import { ApiProblems, ApiReserved, ApiRoute } from '../openapi/api-route.js';
import { schemaRef } from '../openapi/document-types.js';
import { EXAMPLE } from '../openapi/examples.js';
import { ApiStatus } from './status.openapi.js';
import { CreateUploadDto, UploadResponse } from './upload.dto.js';

/** What the fields alone cannot say: null counts as left out. */
const ONE_SOURCE = [
  {
    title: 'upload',
    properties: { file_size: { type: 'integer' }, audio_url: { type: 'null' } },
    required: ['file_size'],
  },
  {
    title: 'by address',
    properties: { file_size: { type: 'null' }, audio_url: { type: 'string' } },
    required: ['audio_url'],
  },
];

const BODY_EXAMPLES = {
  upload: { summary: 'An upload', value: { file_size: 482_133, output_type: 'txt' } },
  address: {
    summary: 'By address, with a webhook',
    value: { audio_url: EXAMPLE.audioUrl, output_type: 'srt', callback_url: EXAMPLE.callbackUrl },
  },
};

export function ApiCreateUpload(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'createUpload',
      summary: 'Create a job and the address its audio is PUT to',
      description: `Give exactly one of \`file_size\` and \`audio_url\`. With \`file_size\`: PUT the bytes to \`upload_url\` with \`content_type\` as the Content-Type, then call \`POST /api/v1/upload/complete\`. With \`audio_url\` the service fetches the audio and there is nothing more to do.

Every request that is handled creates a job, unless it has the \`Idempotency-Key\` of an earlier one. Fields that are not listed are ignored.`,
    }),
    ApiExtraModels(CreateUploadDto),
    ApiBody({
      schema: { allOf: [schemaRef('CreateUpload'), { oneOf: ONE_SOURCE }] },
      examples: BODY_EXAMPLES,
    }),
    ApiOkResponse({ type: UploadResponse, description: 'The job exists.', headers: REPLAYED_HEADER }),
    ApiReserved(400),
    ApiProblems('out_of_credit', 'file_too_large', 'validation_failed', ...REPEAT_PROBLEMS),
  );
}

export function ApiKeepUploadAlive(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'keepUploadAlive',
      summary: 'Keep a pending upload alive',
      description: `Opens or renews a session of 15 seconds; send it every ten while bytes are on their way. While a session lives, a pending upload outlives the expiry of its address. Clients that never send it are not punished.`,
    }),
    ApiStatus('active', '`active` while the upload is pending; afterwards the status of the job.'),
    ApiProblems('job_not_found', 'validation_failed'),
  );
}

export function ApiCompleteUpload(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'completeUpload',
      summary: 'Queue the job after the PUT',
      description: `Judges what was really stored: nothing at all is a 400 and may be mended; more than the route takes is a 400 that ends the job. Safe to repeat: there is one job and one charge.`,
    }),
    ApiStatus('queued', '`queued`, once; afterwards the status of the job.'),
    ApiProblems(
      'upload_incomplete',
      'upload_too_large',
      'upload_kind_mismatch',
      'job_not_found',
      'validation_failed',
    ),
  );
}
