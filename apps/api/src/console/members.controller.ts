import { type Actor, Invitations, Memberships, type Role, RateLimited } from '@app/auth';
import { Account } from '@app/database';
import { Body, Controller, Delete, Get, Inject, Param, Post, Put } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { writeInvitationMail } from '../mail/console-mails.js';
import { Mailer, type MailResult } from '@app/runtime';
import { type AccountSession, CurrentActor, CurrentMember, RequireAccess } from './console-access.js';
import { ResourceIdPipe } from './resource-id.pipe.js';
import { ConsoleController } from './console-controller.js';
import { ConsoleRoute } from './console.openapi.js';
import {
  InvitationListResponse,
  InviteDto,
  MemberListResponse,
  NewInvitationResponse,
  RoleDto,
} from './members.dto.js';

@ConsoleController('members')
@Controller('console/api')
export class MembersController {
  constructor(
    private readonly memberships: Memberships,
    private readonly invitations: Invitations,
    private readonly mailer: Mailer,
    private readonly dataSource: DataSource,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  @Get('members')
  @ConsoleRoute('listMembers', 'List the members of the account', MemberListResponse)
  @RequireAccess('members.read')
  async list(@CurrentMember() { accountId }: AccountSession): Promise<MemberListResponse> {
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
  @ConsoleRoute('changeMemberRole', 'Give a member another role')
  @RequireAccess('members.write')
  changeRole(
    @CurrentMember() { accountId, role: actorRole }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('userId', ResourceIdPipe) userId: string,
    @Body() { role }: RoleDto,
  ): Promise<void> {
    return this.memberships.changeRole(accountId, userId, role, actor, actorRole);
  }

  @Delete('members/:userId')
  @ConsoleRoute('removeMember', 'Remove a member from the account')
  @RequireAccess('members.write')
  remove(
    @CurrentMember() { accountId, role }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('userId', ResourceIdPipe) userId: string,
  ): Promise<void> {
    return this.memberships.remove(accountId, userId, actor, role);
  }

  /** Every role may, also without the factors that the account requires. */
  @Post('members/leave')
  @ConsoleRoute('leaveAccount', 'Leave the account')
  @RequireAccess('member')
  leave(
    @CurrentMember() { accountId, userId, role }: AccountSession,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.memberships.remove(accountId, userId, actor, role);
  }

  @Get('invitations')
  @ConsoleRoute('listInvitations', 'List open invitations', InvitationListResponse)
  @RequireAccess('members.write')
  async listInvitations(@CurrentMember() { accountId }: AccountSession): Promise<InvitationListResponse> {
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

  /** Unless it was mailed, the link is shown once, for who invites to pass on. */
  @Post('invitations')
  @RateLimited('console.invitation')
  @ConsoleRoute('createInvitation', 'Invite a person', NewInvitationResponse)
  @RequireAccess('members.write')
  async invite(
    @CurrentMember() { accountId, role: actorRole }: AccountSession,
    @CurrentActor() actor: Actor,
    @Body() { email, role }: InviteDto,
  ): Promise<NewInvitationResponse> {
    const { id, token } = await this.invitations.create({ accountId, email, role }, actor, actorRole);
    const link = `${this.options.publicUrl}/console/invitation#${token}`;
    const mail = await this.sendInvitation(email, { accountId, role, link, invitedBy: actor.name ?? '' });
    if (mail === 'sent') await this.invitations.markMailed(id);
    return { id, link: mail === 'sent' ? null : link, mail };
  }

  @Delete('invitations/:id')
  @ConsoleRoute('revokeInvitation', 'Withdraw an invitation')
  @RequireAccess('members.write')
  revokeInvitation(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceIdPipe) id: string,
  ): Promise<void> {
    return this.invitations.revoke(accountId, id, actor);
  }

  private async sendInvitation(
    email: string,
    { accountId, ...invitation }: { accountId: string; role: Role; link: string; invitedBy: string },
  ): Promise<MailResult> {
    const { name: account } = await this.dataSource.manager.findOneByOrFail(Account, { id: accountId });
    return this.mailer.send(writeInvitationMail(email, { ...invitation, account }));
  }
}
