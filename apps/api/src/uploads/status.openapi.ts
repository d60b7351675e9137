import { ApiOkResponse } from '@nestjs/swagger';
import { StatusResponse } from './upload.dto.js';

/** The response of a route that acts on a job: the result of the action, or the status of the job. */
export function ApiStatusResponse(status: string, description: string): MethodDecorator {
  return ApiOkResponse({ type: StatusResponse, description, example: { status } });
}
