import { BearerKey } from '@app/auth';
import { ServiceError } from '@app/errors';
import { MODELS } from '@app/jobs';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type ModelListResponse, type ModelResponse, modelResponse } from './model-response.js';

/** The names that tools ask for before they send audio under them. */
const USUAL_NAMES: readonly string[] = [
  ...MODELS,
  'whisper-1',
  'whisper-large-v3',
  'whisper-large-v3-turbo',
  'gpt-4o-transcribe',
  'gpt-4o-mini-transcribe',
  'gpt-4o-transcribe-diarize',
];

@ApiExcludeController()
@BearerKey()
@Controller('v1/models')
export class ModelsController {
  /** The one model there is. */
  @Get()
  list(): ModelListResponse {
    return { object: 'list', data: MODELS.map(modelResponse) };
  }

  /** A model by its own name, or by one that existing tools use for it. */
  @Get(':model')
  one(@Param('model') name: string): ModelResponse {
    if (USUAL_NAMES.includes(name)) return modelResponse(name);
    throw new ServiceError('model_not_found', {
      errors: [{ field: 'model', message: `must be one of: ${USUAL_NAMES.join(', ')}` }],
    });
  }
}
