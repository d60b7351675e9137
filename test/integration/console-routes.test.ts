import 'reflect-metadata';
import { hasPermission, PERMISSIONS, ROLES } from '@app/auth';
import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import {
  type ConsoleAccess,
  CONSOLE_ACCESS_METADATA_KEY,
} from '../../apps/api/src/console/console-access.js';
import { ConsoleModule } from '../../apps/api/src/console/console.module.js';
import { CONSOLE_ROUTES, ROLES_BY_PERMISSION } from '../e2e/support/console-routes.js';

const PREFIX = 'console/api';

function listControllers(module: Type): Type[] {
  const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, module) ?? []) as (Type | DynamicModule)[];
  const own = (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as Type[];
  const isOfConsole = (each: Type) => String(Reflect.getMetadata(PATH_METADATA, each)).startsWith(PREFIX);
  return [
    ...own.filter(isOfConsole),
    ...imports.flatMap((each) => ('module' in each ? [] : listControllers(each))),
  ];
}

function listRoutes(controller: Type): string[] {
  const prefix = String(Reflect.getMetadata(PATH_METADATA, controller));
  const prototype = controller.prototype as Record<string, unknown>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name] as object;
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
    return [`${method} ${full.slice(PREFIX.length + 1)} ${own ?? common ?? 'not declared'}`];
  });
}

describe('the routes of the console', () => {
  it('each declare their access, and are those that the permission test requests', () => {
    const declared = listControllers(ConsoleModule).flatMap(listRoutes).toSorted();
    expect(declared.filter((line) => line.endsWith('not declared'))).toEqual([]);
    const listed = CONSOLE_ROUTES.map(({ method, path, access }) => `${method} ${path} ${access}`);
    expect(declared).toEqual(listed.toSorted());
  });

  it('know the permissions that the permission test knows', () => {
    const table = PERMISSIONS.map((permission) => [
      permission,
      ROLES.filter((role) => hasPermission(role, permission)),
    ]);
    expect(Object.fromEntries(table)).toEqual(ROLES_BY_PERMISSION);
  });
});
