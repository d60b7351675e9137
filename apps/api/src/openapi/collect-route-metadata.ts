import { BEARER_TOKEN_METADATA, RATE_LIMIT_METADATA, type LimitName, PUBLIC_METADATA } from '@app/auth';
import type { ErrorCode } from '@app/errors';
import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ROUTE_PROBLEMS, ERROR_HEADERS, ROUTE_ID } from './api-route.js';
import type { Header, Ref } from './document-types.js';

/** What the decorators of a handler, which Nest's own document knows nothing of, say about its route. */
export interface RouteMetadata {
  id: string | undefined;
  isPublic: boolean;
  /** Whether the key may come as a bearer, too. */
  acceptsBearer: boolean;
  limit: LimitName | undefined;
  problems: ErrorCode[];
  errorHeaders: Record<string, Header | Ref>;
}

/** Under the name that Nest's document gives an operation while it is made. */
export function toRouteKey(controller: string, method: string): string {
  return `${controller}.${method}`;
}

export function collectRouteMetadata(app: INestApplication): Map<string, RouteMetadata> {
  const facts = new Map<string, RouteMetadata>();
  for (const { controllers } of app.get(ModulesContainer).values())
    for (const { metatype } of controllers.values())
      if (metatype)
        for (const [key, found] of readControllerMetadata(metatype as new () => object))
          facts.set(key, found);
  return facts;
}

function readControllerMetadata(controller: new () => object): [string, RouteMetadata][] {
  const prototype = controller.prototype as Record<string, object>;
  const methods = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return methods.map((method) => {
    const handler = prototype[method] as object;
    const facts = {
      id: Reflect.getMetadata(ROUTE_ID, handler) as string | undefined,
      isPublic: isMetadataTrue(PUBLIC_METADATA, handler, controller),
      acceptsBearer: isMetadataTrue(BEARER_TOKEN_METADATA, handler, controller),
      limit: Reflect.getMetadata(RATE_LIMIT_METADATA, handler) as LimitName | undefined,
      problems: (Reflect.getMetadata(ROUTE_PROBLEMS, handler) ?? []) as ErrorCode[],
      errorHeaders: (Reflect.getMetadata(ERROR_HEADERS, handler) ?? {}) as RouteMetadata['errorHeaders'],
    };
    return [toRouteKey(controller.name, method), facts];
  });
}

/** As the guards read it: of the handler, else of its controller. */
function isMetadataTrue(what: string, handler: object, controller: object): boolean {
  return (Reflect.getMetadata(what, handler) ?? Reflect.getMetadata(what, controller)) === true;
}
