import { type ClientInfo, Invitations, Sessions } from '@app/auth';
import { ServiceError } from '@app/errors';
import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentClientInfo, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { SessionCookie } from '../sign-in/session-cookie.js';
import { SignInResponder } from '../sign-in/sign-in-responder.js';
import { InvitationPreviewResponse, SignInResponse } from '../sign-in/sign-in-response.dto.js';
import { AcceptInvitationDto, LinkTokenDto } from '../sign-in/sign-in.dto.js';

/** For who has the link of an invitation. Tokens are in bodies, because paths are logged. */
@UseConsoleGuardsAndTag('session')
@RequireAccess('anyone')
@Controller('console/api/invitation')
export class InvitationAcceptanceController {
  constructor(
    private readonly invitations: Invitations,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly signedIn: SignInResponder,
  ) {}

  @Post('preview')
  @ApiConsoleRoute('previewInvitation', 'Read whom a link invites', InvitationPreviewResponse)
  async preview(@Body() { token }: LinkTokenDto): Promise<InvitationPreviewResponse> {
    const { accountName, email, role } = await this.invitations.getOpen(token);
    return { account: accountName, email, role };
  }

  /** With a name and a password as a new user, without as the signed-in user. */
  @Post('accept')
  @ApiConsoleRoute('acceptInvitation', 'Join the account of an invitation', SignInResponse)
  async accept(
    @Body() { token, name, password }: AcceptInvitationDto,
    @CurrentClientInfo() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInResponse> {
    const sessionToken = this.cookie.read(request);
    if (name !== undefined || password !== undefined) {
      const result = await this.invitations.acceptAsNewUser(
        token,
        { name: name ?? '', password: password ?? '' },
        client,
      );
      return this.signedIn.answer(result, request, reply);
    }
    const session = sessionToken === undefined ? null : await this.sessions.findByToken(sessionToken);
    if (!session)
      throw new ServiceError('not_signed_in', { detail: 'Sign in, or send a name and a password.' });
    const { userId: id, email, sessionId } = session;
    const actor = { kind: 'user', id, name: email, address: client.address, requestId: request.id } as const;
    const accountId = await this.invitations.acceptAsUser(token, session, actor);
    await this.sessions.switchAccount(sessionId, accountId);
    return { state: 'signed_in' };
  }
}
