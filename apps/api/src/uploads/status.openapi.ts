import { ApiOkResponse } from '@nestjs/swagger';
import { StatusResponse } from './upload.dto.js';

/** The answer of a route that acts on a job: its own word when it did, else the job's status. */
export function ApiStatusResponse(status: string, description: string): MethodDecorator {
  return ApiOkResponse({ type: StatusResponse, description, example: { status } });
}
