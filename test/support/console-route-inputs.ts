import 'reflect-metadata';
import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import {
  METHOD_METADATA,
  MODULE_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';
import {
  type ConsoleAccess,
  CONSOLE_ACCESS_METADATA_KEY,
} from '../../apps/api/src/console/console-access.js';
import { ConsoleModule } from '../../apps/api/src/console/console.module.js';

const PREFIX = 'console/api';
/** Where `@ApiQuery` and `@ApiHeader` write; @nestjs/swagger does not export the name. */
const SWAGGER_PARAMETERS = 'swagger/apiParameters';

/** All of the module and those that it imports. */
function listControllers(module: Type): Type[] {
  const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, module) ?? []) as (Type | DynamicModule)[];
  const own = (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as Type[];
  const isOfConsole = (each: Type) => String(Reflect.getMetadata(PATH_METADATA, each)).startsWith(PREFIX);
  return [
    ...own.filter(isOfConsole),
    ...imports.flatMap((each) => ('module' in each ? [] : listControllers(each))),
  ];
}

/** A route of the console, as its controller declares it. */
interface DeclaredConsoleRoute {
  /** Such as `POST upload/complete`. */
  name: string;
  access: string;
  controller: Type;
  handlerName: string;
}

function listRoutes(controller: Type): DeclaredConsoleRoute[] {
  const prefix = String(Reflect.getMetadata(PATH_METADATA, controller));
  const prototype = controller.prototype as Record<string, unknown>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((handlerName) => {
    const handler = prototype[handlerName] as object;
    const path = Reflect.getMetadata(PATH_METADATA, handler) as string | undefined;
    if (path === undefined) return [];
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] ?? '';
    const [own, common] = [handler, controller].map(
      (each) => Reflect.getMetadata(CONSOLE_ACCESS_METADATA_KEY, each) as ConsoleAccess | undefined,
    );
    const full = [prefix, path]
      .map((part) => part.replaceAll(/^\/|\/$/g, ''))
      .filter(Boolean)
      .join('/');
    const name = `${method} ${full.slice(PREFIX.length + 1)}`;
    return [{ name, access: own ?? common ?? 'not declared', controller, handlerName }];
  });
}

/** The index in the parameters of a handler that Nest fills with the body, or with the whole query. */
function findArgumentIndex(
  { controller, handlerName }: DeclaredConsoleRoute,
  kind: RouteParamtypes,
): number | undefined {
  const args = Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handlerName) ?? {}) as Record<
      string,
      { index: number }
    >,
  );
  return args.find(([key]) => key.startsWith(`${kind}:`))?.[1].index;
}

/** Fields of the body that are named as ids, also of objects in it. */
function listIdFields(route: DeclaredConsoleRoute): string[] {
  const index = findArgumentIndex(route, RouteParamtypes.BODY);
  if (index === undefined) return [];
  const prototype = route.controller.prototype as object;
  const types = Reflect.getMetadata('design:paramtypes', prototype, route.handlerName) as Type[];
  const fields = listFields(types[index] ?? Object);
  if (fields.length === 0) throw new Error(`The fields of the body of ${route.name} are not known.`);
  return fields.filter((field) => /(?:^|[._])ids?$|Ids?$/.test(field));
}

function listFields(dto: Type): string[] {
  const validations = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const names = [...new Set(validations.map(({ propertyName }) => propertyName))];
  return names.flatMap((name) => {
    const type = Reflect.getMetadata('design:type', dto.prototype as object, name) as Type | undefined;
    const inner = type === undefined || type === dto ? [] : listFields(type);
    return [name, ...inner.map((field) => `${name}.${field}`)];
  });
}

/** Names that the handler reads from its query before it needs a service. */
async function listReadParameters(route: DeclaredConsoleRoute): Promise<string[]> {
  const index = findArgumentIndex(route, RouteParamtypes.QUERY);
  if (index === undefined) return [];
  const read: string[] = [];
  const query = new Proxy({}, { get: (_, name) => void read.push(String(name)) });
  const args = Array.from({ length: 10 }, (_, at) => (at === index ? query : {}));
  const handler = (route.controller.prototype as Record<string, (...args: unknown[]) => unknown>)[
    route.handlerName
  ];
  await Promise.resolve()
    .then(() => handler?.apply({}, args))
    .catch(() => undefined);
  return read;
}

/** Parameters of the query, and headers. */
function listDocumentedParameters({ controller, handlerName }: DeclaredConsoleRoute): string[] {
  const handler = (controller.prototype as Record<string, object>)[handlerName] ?? {};
  const parameters = (Reflect.getMetadata(SWAGGER_PARAMETERS, handler) ?? []) as {
    in: string;
    name: string;
  }[];
  return parameters.filter((each) => each.in !== 'path' && each.in !== 'body').map(({ name }) => name);
}

/** `POST upload/complete job_id` for each id in the body, each parameter of the query and each documented header. */
export async function listConsoleRouteInputs(route: DeclaredConsoleRoute): Promise<string[]> {
  const names = [
    ...listIdFields(route),
    ...(await listReadParameters(route)),
    ...listDocumentedParameters(route),
  ];
  return [...new Set(names)].map((name) => `${route.name} ${name}`);
}

export function listDeclaredConsoleRoutes(): DeclaredConsoleRoute[] {
  return listControllers(ConsoleModule).flatMap(listRoutes);
}
