import { hasPermission, type Permission, PERMISSIONS, Sessions } from '@app/auth';
import { ServiceError } from '@app/errors';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { CONSOLE_ACCESS_METADATA, type ConsoleAccess, type ConsoleRequest } from './console-access.js';
import { SessionCookie } from './session-cookie.js';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Rejects requests from other sites, without a session, or without the permission that the route requires. */
@Injectable()
export class ConsoleGuard implements CanActivate {
  private readonly origin: string;

  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    @Inject(API_OPTIONS) { publicUrl }: ApiOptions,
  ) {
    this.origin = new URL(publicUrl).origin;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<ConsoleAccess | undefined>(
      CONSOLE_ACCESS_METADATA,
      targets,
    );
    if (access === undefined) throw new Error(`${context.getHandler().name} does not name its access.`);
    const request = context.switchToHttp().getRequest<ConsoleRequest>();
    if (!SAFE_METHODS.has(request.method)) this.assertSameSite(request);
    if (access === 'anyone') return true;
    const token = this.cookie.read(request);
    const session = token === undefined ? null : await this.sessions.findByToken(token);
    if (!session) throw new ServiceError('not_signed_in');
    request.session = session;
    if (isPermission(access)) assertPermission(session.role, access);
    return true;
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

function isPermission(access: ConsoleAccess): access is Permission {
  return (PERMISSIONS as readonly string[]).includes(access);
}

function assertPermission(role: Parameters<typeof hasPermission>[0] | null, permission: Permission): void {
  if (role === null)
    throw new ServiceError('permission_denied', {
      detail: 'You are a member of no account; ask for an invitation.',
    });
  if (!hasPermission(role, permission))
    throw new ServiceError('permission_denied', {
      detail: `The role ${role} lacks the permission ${permission}.`,
    });
}
