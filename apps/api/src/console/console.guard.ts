import {
  hasPermission,
  type Permission,
  ALL_PERMISSIONS,
  readClientAddress,
  type MemberRole,
  ROLES,
  type SessionWithUserAndRole,
  Sessions,
} from '@app/auth';
import { ServiceError } from '@app/errors';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { CONSOLE_ACCESS_METADATA_KEY, type ConsoleAccess, type ConsoleRequest } from './console-access.js';
import { SessionCookie } from './sign-in/session-cookie.js';

const SAFE_METHODS = new Set(['GET', 'HEAD']);
/** What costs the operator or others. Members, payments and keys that exist stay in the hands of the account. */
const PERMISSIONS_SUSPENDED_WITH_ACCOUNT: ReadonlySet<Permission> = new Set([
  'jobs.write',
  'keys.create',
  'webhooks.write',
]);

/** Rejects requests from other sites, without a session, or without the permission that the route requires. */
@Injectable()
export class ConsoleGuard implements CanActivate {
  private readonly origin: string;

  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    @Inject(API_OPTIONS_TOKEN) { publicUrl }: ApiOptions,
  ) {
    this.origin = new URL(publicUrl).origin;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<ConsoleAccess | undefined>(
      CONSOLE_ACCESS_METADATA_KEY,
      targets,
    );
    if (access === undefined) throw new Error(`${context.getHandler().name} does not name its access.`);
    const request = context.switchToHttp().getRequest<ConsoleRequest>();
    if (!SAFE_METHODS.has(request.method)) this.assertSameSite(request);
    if (access === 'anyone') return true;
    const session = await this.readPermittedSession(request, access);
    request.session = session;
    request.assertAccessUnchanged = async () => {
      const current = await this.readPermittedSession(request, access);
      if (access !== 'signed_in') assertSameAccountAndRole(session, current);
    };
    const { accountId, role, userId, email, sessionId } = session;
    if (isBlocked(session)) return true;
    const origin = { requestId: request.id, address: readClientAddress(request) };
    if (accountId !== null && role !== null)
      request.caller = { keyId: null, accountId, role, userId, email, sessionId, ...origin };
    return true;
  }

  private async readPermittedSession(
    request: ConsoleRequest,
    access: Exclude<ConsoleAccess, 'anyone'>,
  ): Promise<SessionWithUserAndRole> {
    const token = this.cookie.read(request);
    const session = token === undefined ? null : await this.sessions.findByToken(token);
    if (!session) throw new ServiceError('not_signed_in');
    if (access !== 'signed_in') assertShownAccount(request, session);
    if (access === 'member') assertMember(session);
    if (isPermission(access)) assertPermission(session, access);
    return session;
  }

  /** `Origin` is sent by every browser with such a request; the header, which forms cannot send, is for those that do not. */
  private assertSameSite({ headers }: ConsoleRequest): void {
    const { origin } = headers;
    if (origin !== undefined && origin !== this.origin)
      throw new ServiceError('cross_site_request', {
        detail: `The request comes from ${origin.slice(0, 100)}; the console is at ${this.origin}.`,
      });
    if (headers['x-console'] !== '1')
      throw new ServiceError('cross_site_request', { detail: 'Send the header X-Console: 1.' });
  }
}

/** A page names the account that it shows; another tab may have switched the session to another one meanwhile. */
function assertShownAccount({ headers }: ConsoleRequest, { accountId }: SessionWithUserAndRole): void {
  const shown = headers['x-console-account'];
  if (shown !== undefined && shown !== accountId) throw createAccountSwitchedError();
}

/** The handler acts for the account and with the role of the session that the request was admitted with. */
function assertSameAccountAndRole(admitted: SessionWithUserAndRole, current: SessionWithUserAndRole): void {
  if (current.accountId !== admitted.accountId) throw createAccountSwitchedError();
  if (current.role !== admitted.role)
    throw new ServiceError('permission_denied', {
      detail: 'Your role in the account has changed meanwhile. Load the page again.',
    });
}

function createAccountSwitchedError(): ServiceError {
  return new ServiceError('account_switched', {
    detail:
      'This tab shows another account than the session, which another tab has switched. Load the page again.',
  });
}

function isPermission(access: ConsoleAccess): access is Permission {
  return (ALL_PERMISSIONS as readonly string[]).includes(access);
}

/** Whether the account or the service requires more factors than the session has. */
function isBlocked({ twoFactorsRequiredBy, hasTwoFactors }: SessionWithUserAndRole): boolean {
  return twoFactorsRequiredBy !== null && !hasTwoFactors;
}

function assertMember({ role }: SessionWithUserAndRole): MemberRole {
  if (role === null)
    throw new ServiceError('permission_denied', {
      detail: 'You are a member of no account; ask for an invitation.',
    });
  return role;
}

function assertPermission(session: SessionWithUserAndRole, permission: Permission): void {
  if (isBlocked(session))
    throw new ServiceError('two_factors_required', {
      detail: `This ${session.twoFactorsRequiredBy} requires two factors: set up a second factor, or confirm the one that you have.`,
    });
  const role = assertMember(session);
  if (!hasPermission(role, permission))
    throw new ServiceError('permission_denied', {
      detail: `Only ${listRolesWith(permission)} of the account may do this. Ask one of them.`,
    });
  if (session.isAccountSuspended && PERMISSIONS_SUSPENDED_WITH_ACCOUNT.has(permission))
    throw new ServiceError('permission_denied', {
      detail: 'The account is suspended; ask the operator of the service.',
    });
}

/** Such as `owners and admins`. */
function listRolesWith(permission: Permission): string {
  const roles = ROLES.filter((role) => hasPermission(role, permission)).map((role) => `${role}s`);
  return new Intl.ListFormat('en-GB').format(roles);
}
