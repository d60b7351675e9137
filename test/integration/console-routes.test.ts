import { hasPermission, ALL_PERMISSIONS, ROLES } from '@app/auth';
import { describe, expect, it } from 'vitest';
import { CONSOLE_ROUTES, ROLES_BY_PERMISSION } from '../e2e/support/console-routes.js';
import { listForeignIdParameters } from '../e2e/support/foreign-id-requests.js';
import { listConsoleRouteInputs, listDeclaredConsoleRoutes } from '../support/console-route-inputs.js';

const ROUTES = listDeclaredConsoleRoutes();

/** What a route takes besides its path and is no id of a row that an account has, and why. */
const NO_FOREIGN_IDS: Record<string, string> = {
  'GET jobs status': 'one of three words',
  'GET jobs created_after': 'a time',
  'GET jobs created_before': 'a time',
  'GET jobs limit': 'a number of rows',
  'GET jobs cursor': 'a time',
  'GET jobs/:job_id/stream Last-Event-ID': 'counts the events of the job in the path',
  'GET jobs/:job_id/transcript format': 'one of the formats',
  'GET jobs/:job_id/transcript max_line_chars': 'a number of characters',
  'GET jobs/:job_id/transcript max_lines': 'a number of lines',
  'GET deliveries status': 'one of the states',
  'GET audit action': 'a name or its beginning',
  'GET audit actor_kind': 'one of the kinds',
  'GET audit since': 'a time',
  'GET audit until': 'a time',
  'GET usage from': 'a day',
  'GET usage days': 'a number of days',
  'POST sign-in/passkey credential.id': 'needs a signature of the passkey, and no account',
  'POST sign-in/passkey credential.rawId': 'needs a signature of the passkey, and no account',
  'POST profile/passkeys credential.id': 'names the passkey that the request creates',
  'POST profile/passkeys credential.rawId': 'names the passkey that the request creates',
};

describe('the routes of the console', () => {
  it('each declare their access, and are those that the permission test requests', () => {
    const declared = ROUTES.map(({ name, access }) => `${name} ${access}`).toSorted();
    expect(declared.filter((line) => line.endsWith('not declared'))).toEqual([]);
    const listed = CONSOLE_ROUTES.map(({ method, path, access }) => `${method} ${path} ${access}`);
    expect(declared).toEqual(listed.toSorted());
  });

  it('know the permissions that the permission test knows', () => {
    const table = ALL_PERMISSIONS.map((permission) => [
      permission,
      ROLES.filter((role) => hasPermission(role, permission)),
    ]);
    expect(Object.fromEntries(table)).toEqual(ROLES_BY_PERMISSION);
  });

  it('take no id, parameter or header that the permission test does not send with the row of another account', async () => {
    const inputs = (await Promise.all(ROUTES.map(listConsoleRouteInputs))).flat().toSorted();
    const decided = new Set([...listForeignIdParameters(), ...Object.keys(NO_FOREIGN_IDS)]);
    expect(inputs.filter((input) => !decided.has(input))).toEqual([]);
    expect(Object.keys(NO_FOREIGN_IDS).filter((input) => !inputs.includes(input))).toEqual([]);
  });
});
