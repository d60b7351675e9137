import {
  type ClientInfo,
  OIDC_STATE_LIFETIME_SECONDS,
  OidcSignIn,
  type OidcRejectionReason,
  Passkeys,
} from '@app/auth';
import { ServiceError } from '@app/errors';
import { Body, Controller, Get, Inject, Logger, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import { Mailer } from '@app/runtime';
import { CurrentClientInfo, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { PasskeySignInDto } from '../profile/passkey.dto.js';
import { StartOidcSignInDto } from './sign-in.dto.js';
import { OidcStateCookies } from './session-cookie.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { OidcStartResponse, SignInMethodsResponse, SignInResponse } from './sign-in-response.dto.js';
import { SignInResponder } from './sign-in-responder.js';

/** Sign-in by passkey and through an OpenID Connect provider. */
@UseConsoleGuardsAndTag('session')
@RequireAccess('anyone')
@Controller('console/api/sign-in')
export class PasskeyAndOidcSignInController {
  private readonly logger = new Logger(PasskeyAndOidcSignInController.name);

  constructor(
    private readonly passkeys: Passkeys,
    private readonly oidc: OidcSignIn,
    private readonly mailer: Mailer,
    private readonly signedIn: SignInResponder,
    private readonly stateCookies: OidcStateCookies,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  @Get('methods')
  @ApiConsoleRoute('listSignInMethods', 'Read what the sign-in page offers', SignInMethodsResponse)
  listMethods(): SignInMethodsResponse {
    return {
      password: true,
      passkey: this.passkeys.areAvailable,
      oidc: this.oidc.isConfigured,
      forgot_password: this.mailer.isConfigured,
    };
  }

  /** @returns options for `navigator.credentials.get` */
  @Post('passkey/options')
  @ApiConsoleRoute('startPasskeySignIn', 'Begin a sign-in with a passkey', Object)
  startPasskeySignIn(@CurrentClientInfo() client: ClientInfo) {
    return this.passkeys.startSignIn(client);
  }

  @Post('passkey')
  @ApiConsoleRoute('signInWithPasskey', 'Sign in with a passkey', SignInResponse)
  async withPasskey(
    @Body() { credential }: PasskeySignInDto,
    @CurrentClientInfo() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInResponse> {
    return this.signedIn.answer(await this.passkeys.finishSignIn(credential, client), request, reply);
  }

  /** @returns the URL at the provider that the page opens */
  @Post('oidc')
  @ApiConsoleRoute('startOidcSignIn', 'Begin a sign-in through the provider', OidcStartResponse)
  async startOidcSignIn(
    @Body() { invitation_token }: StartOidcSignInDto,
    @CurrentClientInfo() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OidcStartResponse> {
    const started = await this.oidc.start(client, invitation_token ?? null);
    if (!started) throw new ServiceError('conflict', { detail: 'No OpenID Connect provider is configured.' });
    this.stateCookies.set(request, reply, started.state, OIDC_STATE_LIFETIME_SECONDS);
    return { url: started.url };
  }

  /** The provider sends the browser here; it goes on to a page of the console in any case. */
  @Get('oidc/callback')
  async finishOidcSignIn(
    @CurrentClientInfo() client: ClientInfo,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = request.url.split('?').slice(1).join('?');
    const state = new URLSearchParams(query).get('state') ?? '';
    const stateOfBrowser = this.stateCookies.read(request, state);
    const result = await this.oidc.finish(query, stateOfBrowser ?? '', client);
    if (stateOfBrowser === state) this.stateCookies.clear(reply, state);
    const page = result.state === 'rejected' ? this.describeRejection(result) : '';
    if (result.state !== 'rejected') await this.signedIn.answer(result, request, reply);
    await reply.redirect(`${this.options.publicUrl}/console/${page}`, 302);
  }

  /** @returns the sign-in page, which shows the reason */
  private describeRejection({ reason, cause }: { reason: OidcRejectionReason; cause?: unknown }): string {
    const { name, code } = (cause ?? {}) as { name?: string; code?: string };
    this.logger.warn({ reason, error: code ?? name }, 'a sign-in through the OpenID Connect provider failed');
    return `sign-in?error=${reason}`;
  }
}
