import { type AuditActor, recordAuditEvent, type SessionWithUserAndRole, Sessions } from '@app/auth';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { CurrentActor, CurrentSession, RequireAccess } from '../console-access.js';
import { SessionReauthenticator } from '../sign-in/session-reauthenticator.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute, ApiNumberProperty, ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';
import { CurrentPasswordDto } from './profile.dto.js';
import { UuidResourceIdPipe } from '../resource-id.pipe.js';

export class BrowserSession {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ type: Boolean, description: 'Whether it is the session of this request.' })
  current: boolean;

  @ApiTextProperty({ nullable: true })
  address: string | null;

  @ApiTextProperty({ nullable: true })
  user_agent: string | null;

  @ApiTimeProperty()
  created_at: Date;

  @ApiTimeProperty({ description: 'To the minute.' })
  last_seen_at: Date;
}

export class SessionListResponse {
  @ApiProperty({ type: [BrowserSession], description: 'Last used first.' })
  sessions: BrowserSession[];
}

export class EndedSessionCountResponse {
  @ApiNumberProperty()
  ended: number;
}

/** The browsers in which the user is signed in. Ending one needs the password, so that nobody at one browser signs out the user. */
@UseConsoleGuardsAndTag('session')
@RequireAccess('signed_in')
@Controller('console/api/profile/sessions')
export class SessionsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly reauthenticator: SessionReauthenticator,
  ) {}

  @Get()
  @ApiConsoleRoute('listSessions', 'List the sessions of the user', SessionListResponse)
  async list(@CurrentSession() { userId, sessionId }: SessionWithUserAndRole): Promise<SessionListResponse> {
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

  @Delete(':id')
  @ApiConsoleRoute('endSession', 'End a session of the user')
  async end(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Param('id', UuidResourceIdPipe) id: string,
    @Body() { current_password }: CurrentPasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.reauthenticator.confirm(session, current_password, actor.address, reply);
    await inTransaction(this.dataSource, async (tx) => {
      if (!(await this.sessions.end(tx, session.userId, id)))
        throw new ServiceError('no_such_resource', { detail: 'You have no such session.' });
      await recordAuditEvent(tx, actor, { accountId: null, action: 'user.session_ended', target: id });
    });
  }

  @Post('end-others')
  @ApiConsoleRoute('endOtherSessions', 'End all sessions but this one', EndedSessionCountResponse)
  async endOthers(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Body() { current_password }: CurrentPasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndedSessionCountResponse> {
    await this.reauthenticator.confirm(session, current_password, actor.address, reply);
    return inTransaction(this.dataSource, async (tx) => {
      const ended = await this.sessions.endAll(tx, session.userId, session.sessionId);
      const details = { sessions_ended: ended };
      await recordAuditEvent(tx, actor, { accountId: null, action: 'user.sessions_ended', details });
      return { ended };
    });
  }
}
