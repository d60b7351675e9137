import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { IDEMPOTENCY_REPLAYED_HEADER_REF } from '../idempotency/idempotency.openapi.js';
import { JOB_CREATION_ERROR_CODES } from '../jobs/job-creation-error-codes.js';
import { ApiErrorCodes, ApiReservedStatus, ApiRoute } from '../openapi/api-route.js';
import { MultipartUploadResponse } from './multipart.dto.js';
import { ApiJobActionStatusResponse } from '../jobs/job-actions.openapi.js';

export function ApiCreateMultipartUpload(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'createMultipartUpload',
      summary: 'Create a job and an upload URL for each part of its audio',
      description: `For large files. PUT each part to its \`url\`, in any order and in parallel, and keep the \`ETag\` header of each response. Parts need no \`Content-Type\`. Every part but the last has \`part_size\` bytes. Then call \`POST /api/v1/upload/multipart/complete\`.

Each request creates a job, unless it repeats an earlier one with the same \`Idempotency-Key\`. Unknown fields are ignored.`,
    }),
    ApiOkResponse({
      type: MultipartUploadResponse,
      description: 'The job was created and its upload is open.',
      headers: IDEMPOTENCY_REPLAYED_HEADER_REF,
    }),
    ApiReservedStatus(400),
    ApiErrorCodes(...JOB_CREATION_ERROR_CODES),
  );
}

export function ApiCompleteMultipartUpload(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'completeMultipartUpload',
      summary: 'Join the parts and queue the job',
      description: `\`parts\` has one entry for each uploaded part, in any order; parts are joined by their numbers. A part that was not uploaded, is listed twice or has another ETag is a 400 that names it (\`parts.3.etag\`). So are an uploaded part that is not listed (\`parts\`), and a part other than the last that has not exactly \`part_size\` bytes. Correct the list, or PUT the part again, and repeat the call.`,
    }),
    ApiJobActionStatusResponse('queued', '`queued` the first time, then the status of the job.'),
    ApiErrorCodes(
      'invalid_parts',
      'upload_incomplete',
      'upload_too_large',
      'upload_type_mismatch',
      'job_not_found',
      'validation_failed',
    ),
  );
}

export function ApiAbortMultipartUpload(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'abortMultipartUpload',
      summary: 'Abort an upload and end its job',
      description: `Deletes the parts and invalidates their URLs. The job becomes \`failed\` at stage \`upload\`.`,
    }),
    ApiJobActionStatusResponse(
      'aborted',
      '`aborted`, also when repeated, or the status of the job when it is too late.',
    ),
    ApiErrorCodes('job_not_found', 'validation_failed'),
  );
}
