import type { SessionWithUserAndRole, Sessions } from '@app/auth';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiOptions } from '../api-options.js';
import { type ConsoleRequest, RequireAccess } from './console-access.js';
import { ConsoleGuard } from './console.guard.js';
import { SessionCookie } from './sign-in/session-cookie.js';

const ORIGIN = 'https://speech.example';
const SESSION = { sessionId: 's', userId: 'u', email: 'u@example.org' };

let isSignedIn = true;
let accountId: string | null = 'a';
let role: string | null = 'owner';
let isAccountSuspended = false;
let twoFactorsRequiredBy: SessionWithUserAndRole['twoFactorsRequiredBy'] = null;
let hasTwoFactors = false;

class Routes {
  @RequireAccess('jobs.write')
  createJob(): void {}

  @RequireAccess('jobs.read')
  listJobs(): void {}

  @RequireAccess('member')
  leave(): void {}

  @RequireAccess('signed_in')
  switchAccount(): void {}

  @RequireAccess('webhooks.write')
  sendTestEvent(): void {}

  @RequireAccess('keys.create')
  createKey(): void {}

  @RequireAccess('members.write')
  removeMember(): void {}
}

const guard = new ConsoleGuard(
  new Reflector(),
  {
    findByToken: async () =>
      isSignedIn
        ? ({
            ...SESSION,
            accountId,
            role,
            isAccountSuspended,
            twoFactorsRequiredBy,
            hasTwoFactors,
          } as SessionWithUserAndRole)
        : null,
  } as unknown as Sessions,
  new SessionCookie(ORIGIN),
  { publicUrl: ORIGIN } as ApiOptions,
);

let lastRequest: ConsoleRequest;

function send(
  headers: Record<string, string>,
  method = 'POST',
  route: keyof Routes = 'createJob',
): Promise<boolean> {
  const request = {
    method,
    raw: {},
    ip: '<script>',
    socket: { remoteAddress: '10.0.0.7' },
    headers: { cookie: '__Host-zephyr_session=token', 'x-console': '1', ...headers },
  } as unknown as ConsoleRequest;
  lastRequest = request;
  return guard.canActivate({
    getHandler: () => Routes.prototype[route],
    getClass: () => Routes,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext);
}

describe('ConsoleGuard', () => {
  it('admits a request for the account of the session, and one that names none', async () => {
    expect(await send({ 'x-console-account': 'a' })).toBe(true);
    expect(await send({})).toBe(true);
  });

  it('rejects a request for another account, to which another tab has switched', async () => {
    const other = { 'x-console-account': 'b' };
    await expect(send(other)).rejects.toMatchObject({ code: 'account_switched', status: 409 });
    await expect(send(other, 'GET', 'listJobs')).rejects.toMatchObject({ code: 'account_switched' });
    await expect(send(other, 'POST', 'leave')).rejects.toMatchObject({ code: 'account_switched' });
    expect(await send(other, 'PUT', 'switchAccount'), 'a route of the user').toBe(true);
  });

  it('takes the address of the proxy for the caller if the proxy passed on what is no address', async () => {
    await send({});
    expect(lastRequest.caller).toMatchObject({ userId: 'u', address: '10.0.0.7' });
  });

  it('rejects a session whose user is no member of its account, except for routes of the user', async () => {
    role = null;
    try {
      for (const route of ['listJobs', 'leave'] as const)
        await expect(send({}, 'POST', route), route).rejects.toMatchObject({ code: 'permission_denied' });
      expect(await send({}, 'PUT', 'switchAccount')).toBe(true);
    } finally {
      role = 'owner';
    }
  });

  it('rejects what costs others in a suspended account, and nothing else', async () => {
    isAccountSuspended = true;
    try {
      for (const route of ['createJob', 'sendTestEvent', 'createKey'] as const)
        await expect(send({}, 'POST', route), route).rejects.toMatchObject({
          code: 'permission_denied',
          detail: expect.stringContaining('suspended'),
        });
      for (const route of ['listJobs', 'removeMember'] as const)
        expect(await send({}, 'GET', route)).toBe(true);
    } finally {
      isAccountSuspended = false;
    }
  });

  it.each([
    ['account', 'This account requires two factors'],
    ['service', 'This service requires two factors'],
  ] as const)(
    'rejects a session with one factor where the %s requires two, except for routes of the user',
    async (requirer, detail) => {
      twoFactorsRequiredBy = requirer;
      try {
        for (const route of ['createJob', 'listJobs', 'removeMember'] as const)
          await expect(send({}, 'GET', route), route).rejects.toMatchObject({
            code: 'two_factors_required',
            status: 403,
            detail: expect.stringContaining(detail),
          });
        expect(await send({}, 'PUT', 'switchAccount')).toBe(true);
        expect(await send({}, 'POST', 'leave')).toBe(true);
        expect(lastRequest.caller, 'a caller of the account').toBeUndefined();
        hasTwoFactors = true;
        expect(await send({}, 'GET', 'listJobs')).toBe(true);
        expect(lastRequest.caller).toMatchObject({ accountId: 'a' });
      } finally {
        twoFactorsRequiredBy = null;
        hasTwoFactors = false;
      }
    },
  );
});

describe('ConsoleGuard, for an admitted request whose body has arrived', () => {
  const admit = async (route: keyof Routes) => {
    await send({}, 'POST', route);
    const { assertAccessUnchanged } = lastRequest;
    if (!assertAccessUnchanged) throw new Error('The request cannot be checked again.');
    return assertAccessUnchanged;
  };

  afterEach(() => {
    [isSignedIn, accountId, role, isAccountSuspended, twoFactorsRequiredBy] = [
      true,
      'a',
      'owner',
      false,
      null,
    ];
  });

  it('accepts it if nothing has changed', async () => {
    for (const route of ['createJob', 'leave', 'switchAccount'] as const) {
      const checkAgain = await admit(route);
      await expect(checkAgain(), route).resolves.toBeUndefined();
    }
  });

  it('rejects it if the session has ended', async () => {
    const checks = [await admit('createJob'), await admit('switchAccount')];
    isSignedIn = false;
    for (const checkAgain of checks)
      await expect(checkAgain()).rejects.toMatchObject({ code: 'not_signed_in' });
  });

  it('rejects it if the role permits it no longer, or is another one', async () => {
    const [createJob, removeMember] = [await admit('createJob'), await admit('removeMember')];
    role = 'viewer';
    await expect(createJob()).rejects.toMatchObject({ code: 'permission_denied' });
    role = 'admin';
    await expect(removeMember()).rejects.toMatchObject({
      code: 'permission_denied',
      detail: 'Your role in the account has changed meanwhile. Load the page again.',
    });
  });

  it('rejects it if the session shows another account, unless the route is one of the user', async () => {
    const [createJob, switchAccount] = [await admit('createJob'), await admit('switchAccount')];
    accountId = 'b';
    await expect(createJob()).rejects.toMatchObject({ code: 'account_switched' });
    await switchAccount();
  });

  it('rejects it if the account is suspended or requires two factors meanwhile', async () => {
    const checkAgain = await admit('createJob');
    isAccountSuspended = true;
    await expect(checkAgain()).rejects.toMatchObject({ code: 'permission_denied' });
    isAccountSuspended = false;
    twoFactorsRequiredBy = 'account';
    await expect(checkAgain()).rejects.toMatchObject({ code: 'two_factors_required' });
  });
});
