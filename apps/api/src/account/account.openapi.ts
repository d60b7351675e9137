import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ApiRoute } from '../openapi/api-route.js';
import { AccountResponse } from './account.dto.js';

export function ApiGetAccount(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'getAccount',
      summary: 'Retrieve balance, limits and today’s usage',
      description:
        'The balance belongs to the account. Limits and usage are those of the API key of the request. A day starts at midnight UTC.',
    }),
    ApiOkResponse({ type: AccountResponse, description: 'The account and the key.' }),
  );
}
