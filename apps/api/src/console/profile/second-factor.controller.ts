import {
  type AuditActor,
  assertMayChangeFactors,
  type ClientInfo,
  lockUserRow,
  recordAuditEvent,
  TotpAndRecoveryCodes,
  type SessionWithUserAndRole,
  Sessions,
  SignInService,
} from '@app/auth';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { Body, Controller, Delete, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { CurrentClientInfo, CurrentActor, CurrentSession, RequireAccess } from '../console-access.js';
import { SessionReauthenticator } from '../sign-in/session-reauthenticator.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { SecondFactorCodeDto, CurrentPasswordDto } from './profile.dto.js';
import { SessionCookie } from '../sign-in/session-cookie.js';
import { RecoveryCodesResponse, SecondFactorSecretResponse } from './session-response.dto.js';

/** The authenticator app of the user. Routes that verify a code give the session a new token. */
@UseConsoleGuardsAndTag('session')
@RequireAccess('signed_in')
@Controller('console/api')
export class SecondFactorController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly secondFactor: TotpAndRecoveryCodes,
    private readonly signIn: SignInService,
    private readonly reauthenticator: SessionReauthenticator,
    private readonly cookie: SessionCookie,
  ) {}

  /** For sign-ins that asked for one factor, where the account requires two. */
  @Post('session/second-factor')
  @ApiConsoleRoute('confirmSecondFactor', 'Confirm the second factor of the user')
  async confirm(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Body() { code }: SecondFactorCodeDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    this.cookie.set(reply, await this.signIn.confirmSecondFactor(session, code, actor));
  }

  @Post('profile/second-factor')
  @ApiConsoleRoute(
    'enrollSecondFactor',
    'Begin with an app, or with the replacement of one',
    SecondFactorSecretResponse,
  )
  async enroll(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentClientInfo() { address }: ClientInfo,
    @Body() { current_password }: CurrentPasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SecondFactorSecretResponse> {
    await assertMayChangeFactors(this.dataSource, session);
    await this.reauthenticator.confirm(session, current_password, address, reply);
    return this.secondFactor.enroll(session.userId, session.email);
  }

  @Post('profile/second-factor/enable')
  @ApiConsoleRoute(
    'enableSecondFactor',
    'Turn the second factor on, or replace its app',
    RecoveryCodesResponse,
  )
  async enable(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Body() { code }: SecondFactorCodeDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecoveryCodesResponse> {
    await assertMayChangeFactors(this.dataSource, session);
    const { recoveryCodes, token } = await this.signIn.enableSecondFactor(session, code, actor);
    this.cookie.set(reply, token);
    return { recovery_codes: recoveryCodes };
  }

  @Delete('profile/second-factor')
  @ApiConsoleRoute('disableSecondFactor', 'Turn the second factor off')
  async disable(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Body() { current_password }: CurrentPasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await assertMayChangeFactors(this.dataSource, session);
    await this.reauthenticator.confirm(session, current_password, actor.address, reply);
    const { userId, sessionId } = session;
    await inTransaction(this.dataSource, async (tx) => {
      // The same order as `Users.changePassword`, which would otherwise deadlock with this.
      await lockUserRow(tx, userId);
      await this.sessions.lock(tx, sessionId);
      if (!(await this.secondFactor.disable(tx, session)))
        throw new ServiceError('conflict', { detail: 'No second factor is enabled.' });
      const sessions_ended = await this.sessions.endAll(tx, userId, sessionId);
      const entry = { accountId: null, action: 'user.second_factor_disabled', details: { sessions_ended } };
      await recordAuditEvent(tx, actor, entry);
    });
  }
}
