import { ApiOkResponse } from '@nestjs/swagger';
import { JobActionStatusResponse } from './job-actions.dto.js';

export function ApiJobActionStatusResponse(status: string, description: string): MethodDecorator {
  return ApiOkResponse({ type: JobActionStatusResponse, description, example: { status } });
}
