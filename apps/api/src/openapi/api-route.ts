import type { ErrorCode } from '@app/errors';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { type Header, type Ref, toSchemaRef } from './document-types.js';

export const ROUTE_ID_METADATA_KEY = 'openapi:route-id';
export const ROUTE_ERROR_CODES_METADATA_KEY = 'openapi:problems';
export const ERROR_HEADERS_METADATA_KEY = 'openapi:error-headers';
const PROBLEM_TYPE = 'application/problem+json';

export interface RouteDescription {
  /** The operation id in generated clients; a published one never changes. */
  id: string;
  /** One line. */
  summary: string;
  /** Markdown. */
  description?: string;
}

export function ApiRoute({ id, summary, description }: RouteDescription): MethodDecorator {
  return applyDecorators(SetMetadata(ROUTE_ID_METADATA_KEY, id), ApiOperation({ summary, description }));
}

/** Adds the error codes specific to a route; `addHandlerMetadataToOperations` adds those common to all routes. */
export function ApiErrorCodes(...codes: ErrorCode[]): MethodDecorator {
  return SetMetadata(ROUTE_ERROR_CODES_METADATA_KEY, codes);
}

/** Adds optional headers to the error responses of a route. */
export function ApiErrorHeaders(headers: Record<string, Header | Ref>): MethodDecorator {
  return SetMetadata(ERROR_HEADERS_METADATA_KEY, headers);
}

/** Documents a status that is reserved for future errors. */
export function ApiReservedStatus(status: number): MethodDecorator {
  const content = { [PROBLEM_TYPE]: { schema: toSchemaRef('Problem') } };
  return ApiResponse({
    status,
    content,
    description:
      'The request was understood but cannot be acted on. Reserved: no code of this status exists here yet.',
  });
}
