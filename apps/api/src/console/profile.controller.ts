import {
  type Actor,
  type ClientInfo,
  listPermissions,
  Memberships,
  listAuditEvents,
  recordAuditEvent,
  SecondFactor,
  type SessionRow,
  Sessions,
  UserConfirmation,
  Users,
} from '@app/auth';
import { inTransaction } from '@app/database';
import { invalidFieldError, ServiceError } from '@app/errors';
import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Client, CurrentActor, CurrentSession, RequireAccess } from './console-access.js';
import { ConsoleController } from './console-controller.js';
import { ConsoleRoute } from './console.openapi.js';
import { AUDIT_PAGE_SIZE, AuditPageResponse, toAuditPage } from './audit.dto.js';
import { parseRowIdParameter, readQueryParameters } from './query-values.js';
import { ChangePasswordDto, CodeDto, CurrentPasswordDto, SwitchAccountDto } from './profile.dto.js';
import {
  RecoveryCodesResponse,
  SecondFactorSecretResponse,
  SessionResponse,
} from './session-response.dto.js';

/** What signed-in users see and change of themselves. */
@ConsoleController('session')
@RequireAccess('signed_in')
@Controller('console/api')
export class ProfileController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly memberships: Memberships,
    private readonly secondFactor: SecondFactor,
    private readonly users: Users,
    private readonly confirmation: UserConfirmation,
  ) {}

  @Get('session')
  @ConsoleRoute('getSession', 'Read user, account and permissions of the session', SessionResponse)
  async getSession(
    @CurrentSession() { sessionId, userId, email, userName, accountId, hasPassword }: SessionRow,
  ): Promise<SessionResponse> {
    const accounts = (await this.memberships.listAccounts(userId)).map((account) => ({
      id: account.accountId,
      name: account.name,
      role: account.role,
    }));
    let account = accounts.find(({ id }) => id === accountId);
    // The user left the account, or was removed from it.
    if (!account && accounts[0] && (await this.sessions.switchAccount(sessionId, accounts[0].id)))
      [account] = accounts;
    return {
      user: {
        id: userId,
        email,
        name: userName,
        has_password: hasPassword,
        second_factor: await this.secondFactor.isEnabled(userId),
        recovery_codes: await this.secondFactor.countRecoveryCodes(userId),
      },
      account: account ? { ...account, permissions: listPermissions(account.role) } : null,
      accounts,
    };
  }

  /** Sign-ins and changes of what the user signs in with, which belong to no account. */
  @Get('profile/events')
  @ConsoleRoute('listUserEvents', 'Read the events of the user, newest first', AuditPageResponse)
  async listEvents(
    @CurrentSession() { userId }: SessionRow,
    @Query() query: Record<string, unknown>,
  ): Promise<AuditPageResponse> {
    const { before } = readQueryParameters(query, ['before']);
    const filter = {
      accountId: null,
      actorId: userId,
      ...(before !== undefined && { before: parseRowIdParameter('before', before) }),
    };
    return toAuditPage(await listAuditEvents(this.dataSource, filter, AUDIT_PAGE_SIZE));
  }

  @Put('session/account')
  @ConsoleRoute('switchAccount', 'Show another account of the user')
  async switchAccount(
    @CurrentSession() { sessionId }: SessionRow,
    @Body() { account_id }: SwitchAccountDto,
  ): Promise<void> {
    if (!(await this.sessions.switchAccount(sessionId, account_id)))
      throw new ServiceError('no_such_resource', { detail: 'You are not a member of this account.' });
  }

  @Put('profile/password')
  @ConsoleRoute('changePassword', 'Change the password of the user')
  async changePassword(
    @CurrentSession() session: SessionRow,
    @CurrentActor() actor: Actor,
    @Body() { current_password, password }: ChangePasswordDto,
  ): Promise<void> {
    await this.confirmation.confirm(session, current_password, actor.address);
    const { userId, sessionId } = session;
    await inTransaction(this.dataSource, (tx) =>
      this.users.setPassword(tx, actor, { userId, password, sessionId }),
    );
  }

  @Post('profile/second-factor')
  @ConsoleRoute('enrollSecondFactor', 'Begin with a second factor', SecondFactorSecretResponse)
  async enrollSecondFactor(
    @CurrentSession() session: SessionRow,
    @Client() { address }: ClientInfo,
    @Body() { current_password }: CurrentPasswordDto,
  ): Promise<SecondFactorSecretResponse> {
    await this.confirmation.confirm(session, current_password, address);
    return this.secondFactor.enroll(session.userId, session.email);
  }

  @Post('profile/second-factor/enable')
  @ConsoleRoute('enableSecondFactor', 'Turn the second factor on', RecoveryCodesResponse)
  async enableSecondFactor(
    @CurrentSession() { userId, sessionId }: SessionRow,
    @CurrentActor() actor: Actor,
    @Body() { code }: CodeDto,
  ): Promise<RecoveryCodesResponse> {
    const recovery_codes = await inTransaction(this.dataSource, async (tx) => {
      const codes = await this.secondFactor.enable(tx, userId, code);
      if (!codes) return null;
      const sessions_ended = await this.sessions.endAll(tx, userId, sessionId);
      const entry = { accountId: null, action: 'user.second_factor_enabled', details: { sessions_ended } };
      await recordAuditEvent(tx, actor, entry);
      return codes;
    });
    if (!recovery_codes) throw invalidFieldError('code', 'is not the code that the app shows now');
    return { recovery_codes };
  }

  @Delete('profile/second-factor')
  @ConsoleRoute('disableSecondFactor', 'Turn the second factor off')
  async disableSecondFactor(
    @CurrentSession() session: SessionRow,
    @CurrentActor() actor: Actor,
    @Body() { current_password }: CurrentPasswordDto,
  ): Promise<void> {
    await this.confirmation.confirm(session, current_password, actor.address);
    const { userId, sessionId } = session;
    await inTransaction(this.dataSource, async (tx) => {
      if (!(await this.secondFactor.disable(tx, userId)))
        throw new ServiceError('conflict', { detail: 'No second factor is enabled.' });
      const sessions_ended = await this.sessions.endAll(tx, userId, sessionId);
      const entry = { accountId: null, action: 'user.second_factor_disabled', details: { sessions_ended } };
      await recordAuditEvent(tx, actor, entry);
    });
  }
}
