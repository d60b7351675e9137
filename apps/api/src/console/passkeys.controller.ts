import { type Actor, Passkeys, type SessionRow, Users } from '@app/auth';
import { invalidFieldError } from '@app/errors';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { CurrentActor, CurrentSession, RequireAccess } from './console-access.js';
import { ConsoleController } from './console-controller.js';
import { PasskeyNameDto, RegisterPasskeyDto } from './passkey.dto.js';
import { CurrentPasswordDto } from './profile.dto.js';

/** The passkeys of the signed-in user. */
@ConsoleController('session')
@RequireAccess('signed_in')
@Controller('console/api/profile/passkeys')
export class PasskeysController {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly users: Users,
  ) {}

  @Get()
  async list(@CurrentSession() { userId }: SessionRow) {
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
  @HttpCode(200)
  async startRegistration(
    @CurrentSession() { userId, email, userName }: SessionRow,
    @Body() { current_password }: CurrentPasswordDto,
  ) {
    await this.assertCurrentPassword(userId, current_password);
    return this.passkeys.startRegistration(userId, { email, userName });
  }

  @Post()
  async register(
    @CurrentSession() { userId }: SessionRow,
    @CurrentActor() actor: Actor,
    @Body() { credential, name }: RegisterPasskeyDto,
  ): Promise<{ id: string }> {
    return { id: await this.passkeys.finishRegistration(userId, { response: credential, name }, actor) };
  }

  @Put(':id')
  @HttpCode(204)
  rename(
    @CurrentSession() { userId }: SessionRow,
    @Param('id') id: string,
    @Body() { name }: PasskeyNameDto,
  ): Promise<void> {
    return this.passkeys.rename(userId, id, name);
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(
    @CurrentSession() { userId }: SessionRow,
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Body() { current_password }: CurrentPasswordDto,
  ): Promise<void> {
    await this.assertCurrentPassword(userId, current_password);
    await this.passkeys.remove(userId, id, actor);
  }

  private async assertCurrentPassword(userId: string, password: string | undefined): Promise<void> {
    if (!(await this.users.verifyCurrentPassword(userId, password)))
      throw invalidFieldError('current_password', 'is wrong');
  }
}
