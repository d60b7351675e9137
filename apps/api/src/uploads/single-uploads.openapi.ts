import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse } from '@nestjs/swagger';
import { IDEMPOTENCY_REPLAYED_HEADER_REF } from '../idempotency/idempotency.openapi.js';
import { JOB_CREATION_ERROR_CODES } from '../jobs/job-creation-error-codes.js';
import { ApiJobActionStatusResponse } from '../jobs/job-actions.openapi.js';
import { ApiErrorCodes, ApiReservedStatus, ApiRoute } from '../openapi/api-route.js';
import { toSchemaRef } from '../openapi/document-types.js';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { CreateUploadDto, UploadResponse } from './upload.dto.js';

const BODY_EXAMPLES = {
  upload: { summary: 'An upload', value: { file_size: 482_133, output_type: 'txt' } },
  address: {
    summary: 'By address, with a webhook',
    value: {
      audio_url: EXAMPLE_VALUES.audioUrl,
      output_type: 'srt',
      callback_url: EXAMPLE_VALUES.callbackUrl,
    },
  },
};

export function ApiCreateUpload(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'createUpload',
      summary: 'Create a job and its upload URL',
      description: `Give exactly one of \`file_size\` and \`audio_url\`. With \`file_size\`: PUT the bytes to \`upload_url\` with \`content_type\` as the Content-Type, then call \`POST /api/v1/upload/complete\`. With \`audio_url\` the service fetches the audio, and the job is queued at once.

Each request creates a job, unless it repeats an earlier one with the same \`Idempotency-Key\`. Unknown fields are ignored.`,
    }),
    ApiExtraModels(CreateUploadDto),
    ApiBody({ schema: toSchemaRef('CreateUpload'), examples: BODY_EXAMPLES }),
    ApiOkResponse({
      type: UploadResponse,
      description: 'The job exists.',
      headers: IDEMPOTENCY_REPLAYED_HEADER_REF,
    }),
    ApiReservedStatus(400),
    ApiErrorCodes(...JOB_CREATION_ERROR_CODES),
  );
}

export function ApiExtendUploadSession(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'keepUploadAlive',
      summary: 'Keep a pending upload alive',
      description: `Opens or renews a session of 15 seconds. Call it about every ten seconds during a slow upload: as long as the session lasts, the upload does not fail when its URL expires. Calling it is optional.`,
    }),
    ApiJobActionStatusResponse('active', '`active` while the upload is pending, then the status of the job.'),
    ApiErrorCodes('job_not_found', 'validation_failed'),
  );
}

export function ApiCompleteUpload(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'completeUpload',
      summary: 'Queue the job after the PUT',
      description: `Checks the stored file. Fewer bytes than \`file_size\` are a 400 that says how many arrived; the upload stays open for another PUT. More bytes than the route takes, or more than twice \`file_size\` and 64 MiB above it, are a 400 that ends the job. Safe to repeat: there is one job and one charge.`,
    }),
    ApiJobActionStatusResponse('queued', '`queued` the first time, then the status of the job.'),
    ApiErrorCodes(
      'upload_incomplete',
      'upload_too_large',
      'upload_type_mismatch',
      'job_not_found',
      'validation_failed',
    ),
  );
}
