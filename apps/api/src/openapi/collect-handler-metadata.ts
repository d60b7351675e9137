import {
  ALLOW_API_KEY_AS_BEARER_METADATA_KEY,
  RATE_LIMIT_METADATA_KEY,
  type ConsoleRateLimitName,
  type ApiRateLimitName,
  SKIP_API_KEY_GUARD_METADATA_KEY,
} from '@app/auth';
import type { ErrorCode } from '@app/errors';
import type { INestApplication } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import {
  ROUTE_ERROR_CODES_METADATA_KEY,
  ERROR_HEADERS_METADATA_KEY,
  ROUTE_ID_METADATA_KEY,
} from './api-route.js';
import type { Header, Ref } from './document-types.js';

/** Metadata of a handler that `@nestjs/swagger` does not read. */
export interface HandlerMetadata {
  id: string | undefined;
  needsNoApiKey: boolean;
  /** Whether the key may also be sent as a bearer token. */
  acceptsBearer: boolean;
  limit: ApiRateLimitName | ConsoleRateLimitName | undefined;
  problems: ErrorCode[];
  errorHeaders: Record<string, Header | Ref>;
}

/** The operation id while Swagger builds the document. */
export function toHandlerKey(controller: string, method: string): string {
  return `${controller}.${method}`;
}

export function collectHandlerMetadata(app: INestApplication): Map<string, HandlerMetadata> {
  const handlers = new Map<string, HandlerMetadata>();
  for (const { controllers } of app.get(ModulesContainer).values())
    for (const { metatype } of controllers.values())
      if (metatype)
        for (const [key, metadata] of readControllerMetadata(metatype as new () => object))
          handlers.set(key, metadata);
  return handlers;
}

function readControllerMetadata(controller: new () => object): [string, HandlerMetadata][] {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).map((method) => {
    const handler = prototype[method] as object;
    const metadata = {
      id: Reflect.getMetadata(ROUTE_ID_METADATA_KEY, handler) as string | undefined,
      needsNoApiKey: isMetadataTrue(SKIP_API_KEY_GUARD_METADATA_KEY, handler, controller),
      acceptsBearer: isMetadataTrue(ALLOW_API_KEY_AS_BEARER_METADATA_KEY, handler, controller),
      limit: Reflect.getMetadata(RATE_LIMIT_METADATA_KEY, handler) as HandlerMetadata['limit'],
      problems: (Reflect.getMetadata(ROUTE_ERROR_CODES_METADATA_KEY, handler) ?? []) as ErrorCode[],
      errorHeaders: (Reflect.getMetadata(ERROR_HEADERS_METADATA_KEY, handler) ??
        {}) as HandlerMetadata['errorHeaders'],
    };
    return [toHandlerKey(controller.name, method), metadata];
  });
}

/** Reads metadata of the handler, else of its controller, as the guards do. */
function isMetadataTrue(key: string, handler: object, controller: object): boolean {
  return (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) === true;
}
