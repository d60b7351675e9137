import {
  type Actor,
  assertMayChangeFactors,
  type ClientInfo,
  Passkeys,
  type SessionRow,
  UserConfirmation,
} from '@app/auth';
import { Body, Controller, Delete, Get, Param, Post, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { Client, CurrentActor, CurrentSession, RequireAccess } from './console-access.js';
import { ConsoleController } from './console-controller.js';
import { ConsoleRoute } from './console.openapi.js';
import {
  NewPasskeyResponse,
  PasskeyListResponse,
  PasskeyNameDto,
  RegisterPasskeyDto,
} from './passkey.dto.js';
import { CurrentPasswordDto } from './profile.dto.js';
import { ResourceNamePipe } from './resource-id.pipe.js';
import { SessionCookie } from './session-cookie.js';

/** The passkeys of the signed-in user. */
@ConsoleController('session')
@RequireAccess('signed_in')
@Controller('console/api/profile/passkeys')
export class PasskeysController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: Passkeys,
    private readonly confirmation: UserConfirmation,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  @ConsoleRoute('listPasskeys', 'List the passkeys of the user', PasskeyListResponse)
  async list(@CurrentSession() { userId }: SessionRow): Promise<PasskeyListResponse> {
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
  @ConsoleRoute('startPasskeyRegistration', 'Begin to add a passkey', Object)
  async startRegistration(
    @CurrentSession() session: SessionRow,
    @Client() { address }: ClientInfo,
    @Body() { current_password }: CurrentPasswordDto,
  ) {
    await assertMayChangeFactors(this.dataSource, session);
    await this.confirmation.confirm(session, current_password, address);
    return this.passkeys.startRegistration(session.userId, session);
  }

  @Post()
  @ConsoleRoute('addPasskey', 'Add a passkey', NewPasskeyResponse)
  async register(
    @CurrentSession() session: SessionRow,
    @CurrentActor() actor: Actor,
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
  @ConsoleRoute('renamePasskey', 'Rename a passkey')
  rename(
    @CurrentSession() { userId }: SessionRow,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceNamePipe) id: string,
    @Body() { name }: PasskeyNameDto,
  ): Promise<void> {
    return this.passkeys.rename(userId, id, name, actor);
  }

  @Delete(':id')
  @ConsoleRoute('removePasskey', 'Remove a passkey')
  async remove(
    @CurrentSession() session: SessionRow,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceNamePipe) id: string,
    @Body() { current_password }: CurrentPasswordDto,
  ): Promise<void> {
    await assertMayChangeFactors(this.dataSource, session);
    await this.confirmation.confirm(session, current_password, actor.address);
    await this.passkeys.remove(session.userId, id, actor);
  }
}
