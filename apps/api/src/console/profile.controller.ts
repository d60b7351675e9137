import {
  type Actor,
  listPermissions,
  Memberships,
  type Permission,
  recordAuditEvent,
  type Role,
  SecondFactor,
  type SessionRow,
  Sessions,
  Users,
} from '@app/auth';
import { inTransaction } from '@app/database';
import { invalidFieldError, ServiceError } from '@app/errors';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CurrentActor, CurrentSession, RequireAccess } from './console-access.js';
import { ResourceIdPipe } from './resource-id.pipe.js';
import { ConsoleController } from './console-controller.js';
import { ChangePasswordDto, CodeDto, CurrentPasswordDto, SwitchAccountDto } from './profile.dto.js';

export interface SessionResponse {
  user: { id: string; email: string; name: string; second_factor: boolean; recovery_codes: number };
  /** Null for a user who is a member of no account. */
  account: { id: string; name: string; role: Role; permissions: Permission[] } | null;
  accounts: { id: string; name: string; role: Role }[];
}

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
  ) {}

  @Get('session')
  async getSession(
    @CurrentSession() { userId, email, userName, accountId }: SessionRow,
  ): Promise<SessionResponse> {
    const accounts = (await this.memberships.listAccounts(userId)).map((account) => ({
      id: account.accountId,
      name: account.name,
      role: account.role,
    }));
    const account = accounts.find(({ id }) => id === accountId);
    return {
      user: {
        id: userId,
        email,
        name: userName,
        second_factor: await this.secondFactor.isEnabled(userId),
        recovery_codes: await this.secondFactor.countRecoveryCodes(userId),
      },
      account: account ? { ...account, permissions: listPermissions(account.role) } : null,
      accounts,
    };
  }

  @Put('session/account')
  @HttpCode(204)
  async switchAccount(
    @CurrentSession() { sessionId }: SessionRow,
    @Body() { account_id }: SwitchAccountDto,
  ): Promise<void> {
    if (!(await this.sessions.switchAccount(sessionId, account_id)))
      throw new ServiceError('no_such_resource', { detail: 'You are not a member of this account.' });
  }

  @Get('profile/sessions')
  async listSessions(@CurrentSession() { userId, sessionId }: SessionRow) {
    const sessions = await this.sessions.list(userId);
    return {
      sessions: sessions.map(({ id, address, userAgent, createdAt, lastSeenAt }) => ({
        id,
        current: id === sessionId,
        address,
        user_agent: userAgent,
        created_at: createdAt,
        last_seen_at: lastSeenAt,
      })),
    };
  }

  @Delete('profile/sessions/:id')
  @HttpCode(204)
  async endSession(
    @CurrentSession() { userId }: SessionRow,
    @Param('id', ResourceIdPipe) id: string,
  ): Promise<void> {
    if (!(await this.sessions.end(userId, id)))
      throw new ServiceError('no_such_resource', { detail: 'You have no such session.' });
  }

  @Put('profile/password')
  @HttpCode(204)
  async changePassword(
    @CurrentSession() { userId, sessionId }: SessionRow,
    @CurrentActor() actor: Actor,
    @Body() { current_password, password }: ChangePasswordDto,
  ): Promise<void> {
    await this.assertCurrentPassword(userId, current_password);
    await inTransaction(this.dataSource, (tx) =>
      this.users.setPassword(tx, actor, { userId, password, sessionId }),
    );
  }

  @Post('profile/second-factor')
  async enrollSecondFactor(
    @CurrentSession() { userId, email }: SessionRow,
    @Body() { current_password }: CurrentPasswordDto,
  ): Promise<{ secret: string; uri: string }> {
    await this.assertCurrentPassword(userId, current_password);
    return this.secondFactor.enroll(userId, email);
  }

  @Post('profile/second-factor/enable')
  @HttpCode(200)
  async enableSecondFactor(
    @CurrentSession() { userId }: SessionRow,
    @CurrentActor() actor: Actor,
    @Body() { code }: CodeDto,
  ): Promise<{ recovery_codes: string[] }> {
    const recovery_codes = await inTransaction(this.dataSource, async (tx) => {
      const codes = await this.secondFactor.enable(tx, userId, code);
      if (codes) await recordAuditEvent(tx, actor, { accountId: null, action: 'user.second_factor_enabled' });
      return codes;
    });
    if (!recovery_codes) throw invalidFieldError('code', 'is not the code that the app shows now');
    return { recovery_codes };
  }

  @Delete('profile/second-factor')
  @HttpCode(204)
  async disableSecondFactor(
    @CurrentSession() { userId }: SessionRow,
    @CurrentActor() actor: Actor,
    @Body() { current_password }: CurrentPasswordDto,
  ): Promise<void> {
    await this.assertCurrentPassword(userId, current_password);
    await inTransaction(this.dataSource, async (tx) => {
      if (!(await this.secondFactor.disable(tx, userId)))
        throw new ServiceError('conflict', { detail: 'No second factor is enabled.' });
      await recordAuditEvent(tx, actor, { accountId: null, action: 'user.second_factor_disabled' });
    });
  }

  private async assertCurrentPassword(userId: string, password: string | undefined): Promise<void> {
    if (!(await this.users.verifyCurrentPassword(userId, password)))
      throw invalidFieldError('current_password', 'is wrong');
  }
}
