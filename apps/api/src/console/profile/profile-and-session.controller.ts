import {
  type AccountOfUser as AccountMembership,
  type AuditActor,
  listPermissionsOfRole,
  Memberships,
  Passkeys,
  listAuditEvents,
  RateLimited,
  TotpAndRecoveryCodes,
  type SessionWithUserAndRole,
  Sessions,
  Users,
} from '@app/auth';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { Body, Controller, Get, Put, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { CurrentActor, CurrentSession, RequireAccess } from '../console-access.js';
import { SessionReauthenticator } from '../sign-in/session-reauthenticator.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { AUDIT_PAGE_SIZE, AuditPageResponse, toAuditPage } from '../audit/audit.dto.js';
import { parseBeforeParameter, parseAllowedQueryParameters } from '../parse-query-parameters.js';
import { ChangeNameDto, ChangePasswordDto, SwitchAccountDto } from './profile.dto.js';
import {
  type AccountOfSession,
  type AccountOfUserResponse,
  SessionResponse,
} from './session-response.dto.js';

/** What signed-in users see and change of themselves. */
@UseConsoleGuardsAndTag('session')
@RequireAccess('signed_in')
@Controller('console/api')
export class ProfileAndSessionController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly memberships: Memberships,
    private readonly secondFactor: TotpAndRecoveryCodes,
    private readonly passkeys: Passkeys,
    private readonly users: Users,
    private readonly reauthenticator: SessionReauthenticator,
  ) {}

  @Get('session')
  @ApiConsoleRoute('getSession', 'Read user, account and permissions of the session', SessionResponse)
  async getSession(@CurrentSession() session: SessionWithUserAndRole): Promise<SessionResponse> {
    const { sessionId, userId, email, userName, accountId, hasPassword, hasTwoFactors } = session;
    const memberships = await this.memberships.listAccounts(userId);
    let membership = memberships.find((each) => each.accountId === accountId);
    const [first] = memberships;
    // The user left the account, or was removed from it.
    if (!membership && first && (await this.sessions.switchAccount(sessionId, first.accountId)))
      membership = first;
    return {
      user: {
        id: userId,
        email,
        name: userName,
        has_password: hasPassword,
        second_factor: await this.secondFactor.isEnabled(userId),
        recovery_codes: await this.secondFactor.countRecoveryCodes(userId),
        passkeys: await this.passkeys.count(userId),
      },
      two_factors: hasTwoFactors,
      account: membership ? describeAccountOfSession(membership, session) : null,
      accounts: memberships.map(describeAccount),
    };
  }

  /** Sign-ins and changes of what the user signs in with, which belong to no account. */
  @Get('profile/events')
  @ApiConsoleRoute('listUserEvents', 'Read the events of the user, newest first', AuditPageResponse)
  async listEvents(
    @CurrentSession() { userId }: SessionWithUserAndRole,
    @Query() query: Record<string, unknown>,
  ): Promise<AuditPageResponse> {
    const { before } = parseAllowedQueryParameters(query, ['before']);
    const filter = {
      accountId: null,
      actorId: userId,
      ...(before !== undefined && { before: parseBeforeParameter('before', before) }),
    };
    return toAuditPage(await listAuditEvents(this.dataSource, filter, AUDIT_PAGE_SIZE));
  }

  @Put('session/account')
  @ApiConsoleRoute('switchAccount', 'Show another account of the user')
  async switchAccount(
    @CurrentSession() { sessionId }: SessionWithUserAndRole,
    @Body() { account_id }: SwitchAccountDto,
  ): Promise<void> {
    if (!(await this.sessions.switchAccount(sessionId, account_id)))
      throw new ServiceError('no_such_resource', { detail: 'You are not a member of this account.' });
  }

  @Put('profile/name')
  @RateLimited('console.change')
  @ApiConsoleRoute('changeName', 'Change the name of the user')
  async changeName(
    @CurrentSession() { userId }: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Body() { name }: ChangeNameDto,
  ): Promise<void> {
    await inTransaction(this.dataSource, (tx) => this.users.rename(tx, actor, userId, name));
  }

  @Put('profile/password')
  @RateLimited('console.change')
  @ApiConsoleRoute('changePassword', 'Change the password of the user')
  async changePassword(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Body() { current_password, password }: ChangePasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const confirmedHash = await this.reauthenticator.confirm(session, current_password, actor.address, reply);
    const { email, userName: name } = session;
    const passwordHash = await this.users.hashNewPassword(password, { email, name });
    await inTransaction(this.dataSource, (tx) =>
      this.users.changePassword(tx, actor, session, { confirmedHash, passwordHash }),
    );
  }
}

function describeAccount({ accountId: id, name, role }: AccountMembership): AccountOfUserResponse {
  return { id, name, role };
}

function describeAccountOfSession(
  { accountId: id, name, role, requiresTwoFactors: isRequiredByAccount }: AccountMembership,
  session: SessionWithUserAndRole,
): AccountOfSession {
  const requiredByAccount = isRequiredByAccount ? 'account' : null;
  const requiredBy = session.twoFactorsRequiredBy === 'service' ? 'service' : requiredByAccount;
  const isBlocked = requiredBy !== null && !session.hasTwoFactors;
  return {
    id,
    name,
    role,
    permissions: isBlocked ? [] : listPermissionsOfRole(role),
    two_factors_required_by: requiredBy,
  };
}
