import { type SessionWithUserAndRole, UserReauthentication } from '@app/auth';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SessionCookie } from './session-cookie.js';

/** Asks for the password before a change of what the user signs in with, and gives the browser the new token of its session. */
@Injectable()
export class SessionReauthenticator {
  constructor(
    private readonly confirmation: UserReauthentication,
    private readonly cookie: SessionCookie,
  ) {}

  /**
   * The cookie is part of the response also if the change fails later.
   * @returns the hash of the password that was verified; null of a user without one
   * @throws ServiceError as `UserReauthentication`
   */
  async confirm(
    session: SessionWithUserAndRole,
    password: string | undefined,
    address: string | null,
    reply: FastifyReply,
  ): Promise<string | null> {
    const { token, passwordHash } = await this.confirmation.confirm(session, password, address);
    if (token !== null) this.cookie.set(reply, token);
    return passwordHash;
  }
}
