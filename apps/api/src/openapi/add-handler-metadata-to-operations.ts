import type { ErrorCode } from '@app/errors';
import { type ConsoleRateLimitName, getDefaultRateLimit, type ApiRateLimitName } from '@app/auth';
import type { ApiDocument, Operation, Response } from './document-types.js';
import { toHeaderRefs } from './headers.js';
import { buildErrorResponses } from './build-error-responses.js';
import type { HandlerMetadata } from './collect-handler-metadata.js';

/** Either scheme is sufficient. */
const EITHER_KEY_SECURITY: Record<string, string[]>[] = [{ bearerKey: [] }, { apiKey: [] }];

/** Adds operation ids, security, headers and errors from the decorators of the handlers. Changes the document. */
export function addHandlerMetadataToOperations(
  document: ApiDocument,
  handlers: ReadonlyMap<string, HandlerMetadata>,
): void {
  for (const { path, operation } of listOperations(document.paths)) {
    const route = handlers.get(operation.operationId);
    if (!route) throw new Error(`No handler is known for operation ${operation.operationId}.`);
    operation.operationId = route.id ?? toDefaultOperationId(operation.operationId);
    if (route.limit) operation['x-rate-limit'] = toRateLimit(route.limit);
    if (route.acceptsBearer) operation.security = EITHER_KEY_SECURITY;
    if (route.needsNoApiKey) operation.security = [];
    else
      operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/RequestId' }];
    operation.responses = {
      ...addHeaders(operation.responses as Record<string, Response>, [
        'X-Request-Id',
        ...(route.limit ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : []),
        ...(operation.requestBody?.content['application/json'] ? ['X-Ignored-Fields'] : []),
      ]),
      ...buildErrorResponses(
        [...route.problems, ...listCommonProblems(route, operation)],
        { path, isLimited: route.limit !== undefined, headers: route.errorHeaders },
        document.components,
      ),
    };
  }
}

function listOperations(paths: ApiDocument['paths']): { path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
}

/** `HealthController.live` -> `healthLive`. */
function toDefaultOperationId(key: string): string {
  const [controller = '', method = ''] = key.replace('Controller', '').split('.');
  return controller.toLowerCase() + method.charAt(0).toUpperCase() + method.slice(1);
}

function toRateLimit(name: ApiRateLimitName | ConsoleRateLimitName): Operation['x-rate-limit'] {
  return { name, requests_per_minute: getDefaultRateLimit(name) };
}

function listCommonProblems(
  { needsNoApiKey, limit }: HandlerMetadata,
  { requestBody }: Operation,
): ErrorCode[] {
  if (needsNoApiKey) return [];
  const rateLimitCodes: ErrorCode[] = limit ? ['rate_limit_exceeded'] : [];
  const concurrencyCodes: ErrorCode[] = requestBody ? ['concurrency_limit_exceeded'] : [];
  return ['invalid_api_key', ...rateLimitCodes, ...concurrencyCodes, 'internal_error', 'service_unavailable'];
}

function addHeaders(responses: Record<string, Response>, names: string[]): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...toHeaderRefs(...names) } },
    ]),
  );
}
