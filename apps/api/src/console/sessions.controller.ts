import { type Actor, recordAuditEvent, type SessionRow, Sessions, UserConfirmation } from '@app/auth';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { CurrentActor, CurrentSession, RequireAccess } from './console-access.js';
import { ConsoleController } from './console-controller.js';
import { ConsoleRoute, NumberField, TextField, TimeField } from './console.openapi.js';
import { CurrentPasswordDto } from './profile.dto.js';
import { ResourceIdPipe } from './resource-id.pipe.js';

export class BrowserSession {
  @TextField({ format: 'uuid' })
  id: string;

  @ApiProperty({ type: Boolean, description: 'Whether it is the session of this request.' })
  current: boolean;

  @TextField({ nullable: true })
  address: string | null;

  @TextField({ nullable: true })
  user_agent: string | null;

  @TimeField()
  created_at: Date;

  @TimeField({ description: 'To the minute.' })
  last_seen_at: Date;
}

export class SessionListResponse {
  @ApiProperty({ type: [BrowserSession], description: 'Last used first.' })
  sessions: BrowserSession[];
}

export class EndedSessionsResponse {
  @NumberField()
  ended: number;
}

/** The browsers in which the user is signed in. Ending one needs the password, so that nobody at one browser signs out the user. */
@ConsoleController('session')
@RequireAccess('signed_in')
@Controller('console/api/profile/sessions')
export class SessionsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly confirmation: UserConfirmation,
  ) {}

  @Get()
  @ConsoleRoute('listSessions', 'List the sessions of the user', SessionListResponse)
  async list(@CurrentSession() { userId, sessionId }: SessionRow): Promise<SessionListResponse> {
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
  @ConsoleRoute('endSession', 'End a session of the user')
  async end(
    @CurrentSession() session: SessionRow,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceIdPipe) id: string,
    @Body() { current_password }: CurrentPasswordDto,
  ): Promise<void> {
    await this.confirmation.confirm(session, current_password, actor.address);
    await inTransaction(this.dataSource, async (tx) => {
      if (!(await this.sessions.end(tx, session.userId, id)))
        throw new ServiceError('no_such_resource', { detail: 'You have no such session.' });
      await recordAuditEvent(tx, actor, { accountId: null, action: 'user.session_ended', target: id });
    });
  }

  @Post('end-others')
  @ConsoleRoute('endOtherSessions', 'End all sessions but this one', EndedSessionsResponse)
  async endOthers(
    @CurrentSession() session: SessionRow,
    @CurrentActor() actor: Actor,
    @Body() { current_password }: CurrentPasswordDto,
  ): Promise<EndedSessionsResponse> {
    await this.confirmation.confirm(session, current_password, actor.address);
    return inTransaction(this.dataSource, async (tx) => {
      const ended = await this.sessions.endAll(tx, session.userId, session.sessionId);
      const details = { sessions_ended: ended };
      await recordAuditEvent(tx, actor, { accountId: null, action: 'user.sessions_ended', details });
      return { ended };
    });
  }
}
