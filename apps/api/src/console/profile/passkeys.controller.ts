import {
  type AuditActor,
  assertMayChangeFactors,
  type ClientInfo,
  Passkeys,
  RateLimited,
  type SessionWithUserAndRole,
} from '@app/auth';
import { Body, Controller, Delete, Get, Param, Post, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { CurrentClientInfo, CurrentActor, CurrentSession, RequireAccess } from '../console-access.js';
import { SessionReauthenticator } from '../sign-in/session-reauthenticator.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import {
  NewPasskeyResponse,
  PasskeyListResponse,
  PasskeyNameDto,
  RegisterPasskeyDto,
} from './passkey.dto.js';
import { CurrentPasswordDto } from './profile.dto.js';
import { KeyOrPasskeyIdPipe } from '../resource-id.pipe.js';
import { SessionCookie } from '../sign-in/session-cookie.js';

/** The passkeys of the signed-in user. */
@UseConsoleGuardsAndTag('session')
@RequireAccess('signed_in')
@Controller('console/api/profile/passkeys')
export class PasskeysController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: Passkeys,
    private readonly reauthenticator: SessionReauthenticator,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  @ApiConsoleRoute('listPasskeys', 'List the passkeys of the user', PasskeyListResponse)
  async list(@CurrentSession() { userId }: SessionWithUserAndRole): Promise<PasskeyListResponse> {
    const passkeys = await this.passkeys.list(userId);
    return {
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        created_at: createdAt,
        last_used_at: lastUsedAt,
      })),
    };
  }

  /** @returns options for `navigator.credentials.create` */
  @Post('options')
  @ApiConsoleRoute('startPasskeyRegistration', 'Begin to add a passkey', Object)
  async startRegistration(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentClientInfo() { address }: ClientInfo,
    @Body() { current_password }: CurrentPasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await assertMayChangeFactors(this.dataSource, session);
    await this.reauthenticator.confirm(session, current_password, address, reply);
    return this.passkeys.startRegistration(session.userId, session);
  }

  @Post()
  @ApiConsoleRoute('addPasskey', 'Add a passkey', NewPasskeyResponse)
  async register(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Body() { credential, name }: RegisterPasskeyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NewPasskeyResponse> {
    await assertMayChangeFactors(this.dataSource, session);
    const answer = { response: credential, name };
    const { id, sessionToken } = await this.passkeys.finishRegistration(session, answer, actor);
    this.cookie.set(reply, sessionToken);
    return { id };
  }

  @Put(':id')
  @RateLimited('console.change')
  @ApiConsoleRoute('renamePasskey', 'Rename a passkey')
  rename(
    @CurrentSession() { userId }: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Param('id', KeyOrPasskeyIdPipe) id: string,
    @Body() { name }: PasskeyNameDto,
  ): Promise<void> {
    return this.passkeys.rename(userId, id, name, actor);
  }

  @Delete(':id')
  @ApiConsoleRoute('removePasskey', 'Remove a passkey')
  async remove(
    @CurrentSession() session: SessionWithUserAndRole,
    @CurrentActor() actor: AuditActor,
    @Param('id', KeyOrPasskeyIdPipe) id: string,
    @Body() { current_password }: CurrentPasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await assertMayChangeFactors(this.dataSource, session);
    await this.reauthenticator.confirm(session, current_password, actor.address, reply);
    await this.passkeys.remove(session, id, actor);
  }
}
