import { type ClientInfo, LinkSignIn, SignInService } from '@app/auth';
import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentClientInfo, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { SessionCookie } from './session-cookie.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { SignInResponse } from './sign-in-response.dto.js';
import { SignInResponder } from './sign-in-responder.js';
import { PasswordResetLinkMailer } from './password-reset-link-mailer.js';
import {
  ForgottenPasswordDto,
  PasswordSignInDto,
  SecondFactorSignInDto,
  SetPasswordByLinkDto,
  LinkTokenDto,
} from './sign-in.dto.js';

@UseConsoleGuardsAndTag('session')
@RequireAccess('anyone')
@Controller('console/api')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly linkSignIn: LinkSignIn,
    private readonly signedIn: SignInResponder,
    private readonly cookie: SessionCookie,
    private readonly forgottenPassword: PasswordResetLinkMailer,
  ) {}

  @Post('sign-in')
  @ApiConsoleRoute('signInWithPassword', 'Sign in with a password', SignInResponse)
  async withPassword(
    @Body() { email, password }: PasswordSignInDto,
    @CurrentClientInfo() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInResponse> {
    return this.signedIn.answer(await this.signIn.withPassword(email, password, client), request, reply);
  }

  @Post('sign-in/link')
  @ApiConsoleRoute('signInWithLink', 'Sign in with a link, once', SignInResponse)
  async withLink(
    @Body() { token }: LinkTokenDto,
    @CurrentClientInfo() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInResponse> {
    return this.signedIn.answer(await this.linkSignIn.openSession(token, client, request.id), request, reply);
  }

  @Post('sign-in/second-factor')
  @ApiConsoleRoute('signInWithSecondFactor', 'Finish a sign-in with a code', SignInResponse)
  async withSecondFactor(
    @Body() { challenge, code }: SecondFactorSignInDto,
    @CurrentClientInfo() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInResponse> {
    return this.signedIn.answer(await this.signIn.withSecondFactor(challenge, code, client), request, reply);
  }

  /** Sets the password and ends all sessions; the user signs in with it afterwards. */
  @Post('sign-in/set-password')
  @ApiConsoleRoute('setPasswordByLink', 'Set the password with a link')
  async setPassword(
    @Body() { token, password }: SetPasswordByLinkDto,
    @CurrentClientInfo() client: ClientInfo,
    @Req() { id }: FastifyRequest,
  ): Promise<void> {
    await this.linkSignIn.setPassword({ token, password }, client, id);
  }

  /** The response is the same for every address. */
  @Post('sign-in/forgot-password')
  @ApiConsoleRoute('sendPasswordLink', 'Mail a link for a new password')
  async forgotPassword(
    @Body() { email }: ForgottenPasswordDto,
    @CurrentClientInfo() client: ClientInfo,
    @Req() { id }: FastifyRequest,
  ): Promise<void> {
    await this.signIn.countForgottenPassword(email, client);
    this.forgottenPassword.startSendingLink(email, client, id);
  }

  @Post('sign-out')
  @ApiConsoleRoute('signOut', 'End the session')
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.signedIn.endPresentSession(request);
    this.cookie.clear(reply);
  }
}
