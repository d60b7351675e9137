import { AllowBearerToken } from '@app/auth';
import { ServiceError } from '@app/errors';
import { MODELS } from '@app/jobs';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  type ModelListResponse,
  modelListResponse,
  type ModelResponse,
  modelResponse,
  USUAL_NAMES,
} from './model-response.js';
import { ApiGetModel, ApiListModels } from './models.openapi.js';

@ApiTags('openai')
@AllowBearerToken()
@Controller('v1/models')
export class ModelsController {
  /** The one model there is. */
  @Get()
  @ApiListModels()
  list(): ModelListResponse {
    return modelListResponse(MODELS);
  }

  /** A model by its own name, or by one that existing tools use for it. */
  @Get(':model')
  @ApiGetModel()
  one(@Param('model') name: string): ModelResponse {
    if (USUAL_NAMES.includes(name)) return modelResponse(name);
    throw new ServiceError('model_not_found', {
      errors: [{ field: 'model', message: `must be one of: ${USUAL_NAMES.join(', ')}` }],
    });
  }
}
