import {
  type AuditActor,
  type Caller,
  type ClientInfo,
  type Permission,
  readClientAddress,
  type SessionWithUserAndRole,
} from '@app/auth';
import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** A permission in the account of the session; every member of it, whatever the factors of the session; any signed-in user; or anyone. */
export type ConsoleAccess = Permission | 'member' | 'signed_in' | 'anyone';

export const CONSOLE_ACCESS_METADATA_KEY = 'console:access';

/** A session whose user is a member of its account. */
export interface MemberSession extends SessionWithUserAndRole {
  accountId: string;
  role: NonNullable<SessionWithUserAndRole['role']>;
}

export interface ConsoleRequest extends FastifyRequest {
  session?: SessionWithUserAndRole;
  /** Set with a session whose user is a member of its account. */
  caller?: Caller;
  /**
   * Called once the body has arrived, which its sender may delay.
   * @throws ServiceError if the guard would reject the request now, or admit it for another account or role
   */
  assertAccessUnchanged?: () => Promise<void>;
}

/** Every route of the console names its access; a route without it is rejected. */
export const RequireAccess = (access: ConsoleAccess) => SetMetadata(CONSOLE_ACCESS_METADATA_KEY, access);

export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): SessionWithUserAndRole => {
    const { session } = context.switchToHttp().getRequest<ConsoleRequest>();
    if (!session) throw new Error('CurrentSession is used on a route for anyone.');
    return session;
  },
);

/** On routes for members, or that require a permission. */
export const CurrentMemberSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): MemberSession => {
    const { session } = context.switchToHttp().getRequest<ConsoleRequest>();
    if (!session?.accountId || !session.role)
      throw new Error('CurrentMemberSession is used on a route for others than members.');
    return { ...session, accountId: session.accountId, role: session.role };
  },
);

/** The user who makes the request, for the audit log. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): AuditActor => {
  const request = context.switchToHttp().getRequest<ConsoleRequest>();
  const { session, id: requestId } = request;
  if (!session) throw new Error('CurrentActor is used on a route for anyone.');
  const address = readClientAddress(request);
  return { kind: 'user', id: session.userId, name: session.email, address, requestId };
});

export const CurrentClientInfo = createParamDecorator((_: unknown, context: ExecutionContext): ClientInfo => {
  const request = context.switchToHttp().getRequest<ConsoleRequest>();
  return { address: readClientAddress(request), userAgent: request.headers['user-agent'] ?? null };
});
