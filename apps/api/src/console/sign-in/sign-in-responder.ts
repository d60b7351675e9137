import { readClientAddress, type SignInResult, Sessions } from '@app/auth';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionCookie } from './session-cookie.js';
import type { SignInResponse } from './sign-in-response.dto.js';

/** Gives the browser the cookie of its new session. */
@Injectable()
export class SignInResponder {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
  ) {}

  /** The session that the browser had before ends, so that a token set by somebody else is of no use. */
  async answer(result: SignInResult, request: FastifyRequest, reply: FastifyReply): Promise<SignInResponse> {
    if (result.state === 'second_factor') return { state: result.state, challenge: result.challengeToken };
    await this.endPresentSession(request);
    this.cookie.set(reply, result.sessionToken);
    return { state: 'signed_in' };
  }

  async endPresentSession(request: FastifyRequest): Promise<void> {
    const token = this.cookie.read(request);
    if (token !== undefined) await this.sessions.endByToken(token, { address: readClientAddress(request) });
  }
}
