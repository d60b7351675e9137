import { JOB_MODELS } from '@app/jobs';
import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { ApiErrorCodes, ApiRoute } from '../../openapi/api-route.js';
import { toSchemaRef } from '../../openapi/document-types.js';
import type { OPENAI_SCHEMAS } from './openapi/openai-schemas.js';
import { toModelListResponse, toModelResponse, RETRIEVABLE_MODEL_NAMES } from './model-response.js';

function ApiJsonResponse(description: string, schema: keyof typeof OPENAI_SCHEMAS, example: object) {
  return ApiOkResponse({
    description,
    content: { 'application/json': { schema: toSchemaRef(schema), example } },
  });
}

export function ApiListModels(): MethodDecorator {
  return applyDecorators(
    ApiRoute({ id: 'listModels', summary: 'List the models' }),
    ApiJsonResponse('The models.', 'OpenAiModelList', toModelListResponse(JOB_MODELS)),
  );
}

export function ApiGetModel(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'getModel',
      summary: 'Retrieve a model by its name',
      description: `The model is also known by the names that existing tools request: ${RETRIEVABLE_MODEL_NAMES.map((name) => `\`${name}\``).join(', ')}.`,
    }),
    ApiParam({
      name: 'model',
      schema: { type: 'string', examples: ['whisper-1'] },
      description: 'Its name.',
    }),
    ApiJsonResponse('The model under the requested name.', 'OpenAiModel', toModelResponse('whisper-1')),
    // `not_found`: a name over the maximum path length does not reach the route.
    ApiErrorCodes('model_not_found', 'not_found'),
  );
}
