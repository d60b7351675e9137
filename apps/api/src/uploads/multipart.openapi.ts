import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { REPEAT_PROBLEMS, REPLAYED_HEADER } from '../idempotency/idempotency.openapi.js';
import { ApiProblems, ApiReserved, ApiRoute } from '../openapi/api-route.js';
import { MultipartResponse } from './multipart.dto.js';
import { ApiStatus } from './status.openapi.js';

export function ApiCreateMultipart(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'createMultipartUpload',
      summary: 'Create a job and an address for every part of its audio',
      description: `For large files. PUT each part to its \`url\`, in any order and as many at once as you like, and keep the \`ETag\` of each answer. Every part but the last has \`part_size\` bytes. Then call \`POST /api/v1/upload/multipart/complete\`.

Every request that is handled creates a job, unless it has the \`Idempotency-Key\` of an earlier one. Fields that are not listed are ignored.`,
    }),
    ApiOkResponse({
      type: MultipartResponse,
      description: 'The job exists, and its upload is open.',
      headers: REPLAYED_HEADER,
    }),
    ApiReserved(400),
    ApiProblems('out_of_credit', 'file_too_large', 'validation_failed', ...REPEAT_PROBLEMS),
  );
}

export function ApiCompleteMultipart(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'completeMultipartUpload',
      summary: 'Put the parts together and queue the job',
      description: `\`parts\` may stand in any order; what is not listed is left out. A part that was not sent, or has another etag, is a 400 that names it (\`parts.3.etag\`): correct the list and call again. Send one list only.`,
    }),
    ApiStatus('queued', '`queued`, once; afterwards the status of the job.'),
    ApiProblems(
      'parts_rejected',
      'upload_incomplete',
      'upload_too_large',
      'upload_kind_mismatch',
      'job_not_found',
      'validation_failed',
    ),
  );
}

export function ApiAbortMultipart(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'abortMultipartUpload',
      summary: 'Discard an upload that is in progress, and end its job',
      description: `The parts are deleted and their addresses end. The job is \`failed\` at stage \`upload\`.`,
    }),
    ApiStatus('aborted', '`aborted`, repeated as well; the status of the job when it is too late.'),
    ApiProblems('job_not_found', 'validation_failed'),
  );
}
