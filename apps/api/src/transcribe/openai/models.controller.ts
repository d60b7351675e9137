import { AllowApiKeyAsBearerToken } from '@app/auth';
import { ServiceError } from '@app/errors';
import { JOB_MODELS } from '@app/jobs';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  type ModelListResponse,
  toModelListResponse,
  type ModelResponse,
  toModelResponse,
  RETRIEVABLE_MODEL_NAMES,
} from './model-response.js';
import { ApiGetModel, ApiListModels } from './models.openapi.js';

@ApiTags('openai')
@AllowApiKeyAsBearerToken()
@Controller('v1/models')
export class ModelsController {
  @Get()
  @ApiListModels()
  listModels(): ModelListResponse {
    return toModelListResponse(JOB_MODELS);
  }

  @Get(':model')
  @ApiGetModel()
  getModel(@Param('model') name: string): ModelResponse {
    if (RETRIEVABLE_MODEL_NAMES.includes(name)) return toModelResponse(name);
    throw new ServiceError('model_not_found', {
      errors: [{ field: 'model', message: `must be one of: ${RETRIEVABLE_MODEL_NAMES.join(', ')}` }],
    });
  }
}
