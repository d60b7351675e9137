import type { ErrorCode } from '@app/errors';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { type Header, type Ref, schemaRef } from './document-types.js';

export const ROUTE_ID = 'openapi:route-id';
export const ROUTE_PROBLEMS = 'openapi:problems';
export const ERROR_HEADERS = 'openapi:refusal-headers';
const PROBLEM_TYPE = 'application/problem+json';

export interface RouteDescription {
  /** Names the operation for generated clients: one that was published never changes. */
  id: string;
  /** One line. */
  summary: string;
  /** Markdown. */
  description?: string;
}

export function ApiRoute({ id, summary, description }: RouteDescription): MethodDecorator {
  return applyDecorators(SetMetadata(ROUTE_ID, id), ApiOperation({ summary, description }));
}

/**
 * The refusals that are this route's own. Those that follow from what else is declared (a key is needed, requests are
 * counted, anything may break) are added to every route.
 */
export function ApiProblems(...codes: ErrorCode[]): MethodDecorator {
  return SetMetadata(ROUTE_PROBLEMS, codes);
}

/** Headers that this route's refusals may have besides. */
export function ApiErrorHeaders(headers: Record<string, Header | Ref>): MethodDecorator {
  return SetMetadata(ERROR_HEADERS, headers);
}

/** A status that clients have to be ready for, though the service has no use for it at present. */
export function ApiReserved(status: number): MethodDecorator {
  const content = { [PROBLEM_TYPE]: { schema: schemaRef('Problem') } };
  return ApiResponse({
    status,
    content,
    description:
      'The request was understood but cannot be acted on. Reserved: no code of this status exists here yet.',
  });
}
