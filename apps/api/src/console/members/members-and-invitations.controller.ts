import { type AuditActor, Invitations, Memberships, type MemberRole, RateLimited } from '@app/auth';
import { Account } from '@app/database';
import { Body, Controller, Delete, Get, Inject, Logger, Param, Post, Put } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import { composeInvitationMail } from '../../mail/console-mails.js';
import { Mailer, type MailResult } from '@app/runtime';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UuidResourceIdPipe } from '../resource-id.pipe.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import {
  InvitationListResponse,
  InviteDto,
  MemberListResponse,
  NewInvitationResponse,
  MemberRoleDto,
} from './members.dto.js';

@UseConsoleGuardsAndTag('members')
@Controller('console/api')
export class MembersAndInvitationsController {
  private readonly logger = new Logger(MembersAndInvitationsController.name);

  constructor(
    private readonly memberships: Memberships,
    private readonly invitations: Invitations,
    private readonly mailer: Mailer,
    private readonly dataSource: DataSource,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  @Get('members')
  @ApiConsoleRoute('listMembers', 'List the members of the account', MemberListResponse)
  @RequireAccess('members.read')
  async list(@CurrentMemberSession() { accountId }: MemberSession): Promise<MemberListResponse> {
    const members = await this.memberships.listMembers(accountId);
    return {
      members: members.map(({ userId, joinedAt, lastSeenAt, email, name, role, disabled }) => ({
        user_id: userId,
        email,
        name,
        role,
        disabled,
        joined_at: joinedAt,
        last_seen_at: lastSeenAt,
      })),
    };
  }

  @Put('members/:userId/role')
  @RateLimited('console.change')
  @ApiConsoleRoute('changeMemberRole', 'Give a member another role')
  @RequireAccess('members.write')
  changeRole(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('userId', UuidResourceIdPipe) userId: string,
    @Body() { role }: MemberRoleDto,
  ): Promise<void> {
    return this.memberships.changeRole(accountId, userId, role, actor);
  }

  @Delete('members/:userId')
  @ApiConsoleRoute('removeMember', 'Remove a member from the account')
  @RequireAccess('members.write')
  remove(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('userId', UuidResourceIdPipe) userId: string,
  ): Promise<void> {
    return this.memberships.remove(accountId, userId, actor);
  }

  /** Every role may, also without the factors that the account requires. */
  @Post('members/leave')
  @ApiConsoleRoute('leaveAccount', 'Leave the account')
  @RequireAccess('member')
  leave(
    @CurrentMemberSession() { accountId, userId }: MemberSession,
    @CurrentActor() actor: AuditActor,
  ): Promise<void> {
    return this.memberships.remove(accountId, userId, actor);
  }

  @Get('invitations')
  @ApiConsoleRoute('listInvitations', 'List open invitations', InvitationListResponse)
  @RequireAccess('members.write')
  async listInvitations(
    @CurrentMemberSession() { accountId }: MemberSession,
  ): Promise<InvitationListResponse> {
    const open = await this.invitations.listOpen(accountId);
    return {
      invitations: open.map(({ id, email, role, createdAt, expiresAt }) => ({
        id,
        email,
        role,
        created_at: createdAt,
        expires_at: expiresAt,
      })),
    };
  }

  /** Unless it was or may have been mailed, the link is shown once, for who invites to pass on. */
  @Post('invitations')
  @RateLimited('console.invitation')
  @ApiConsoleRoute('createInvitation', 'Invite a person', NewInvitationResponse)
  @RequireAccess('members.write')
  async invite(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { email, role }: InviteDto,
  ): Promise<NewInvitationResponse> {
    const { id, token } = await this.invitations.create({ accountId, email, role }, actor);
    const link = `${this.options.publicUrl}/console/invitation#${token}`;
    const invitation = { id, accountId, role, link, invitedBy: actor.name ?? '' };
    const mail = this.mailer.isConfigured ? await this.mailInvitation(email, invitation) : 'not_configured';
    return { id, link: mail === 'sent' || mail === 'unknown' ? null : link, mail };
  }

  @Delete('invitations/:id')
  @ApiConsoleRoute('revokeInvitation', 'Withdraw an invitation')
  @RequireAccess('members.write')
  revokeInvitation(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('id', UuidResourceIdPipe) id: string,
  ): Promise<void> {
    return this.invitations.revoke(accountId, id, actor);
  }

  private async mailInvitation(
    email: string,
    {
      id,
      accountId,
      ...invitation
    }: { id: string; accountId: string; role: MemberRole; link: string; invitedBy: string },
  ): Promise<MailResult> {
    if (!(await this.invitations.reserveMail(id, email))) {
      this.logger.warn({ accountId }, 'an address that was invited too often in an hour got no further mail');
      return 'failed';
    }
    const { name: account } = await this.dataSource.manager.findOneByOrFail(Account, { id: accountId });
    const mail = await this.mailer.sendWithinRequest(
      composeInvitationMail(email, { ...invitation, account }),
    );
    // Only a link that nobody has may be shown: one that was mailed proves the address of who opens it.
    if (mail === 'failed') await this.invitations.releaseMail(id);
    return mail;
  }
}
