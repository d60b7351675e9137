import {
  type AuditActor,
  type ClientInfo,
  COMMAND_LINE_POLL_INTERVAL_SECONDS,
  COMMAND_LINE_SIGN_IN_LIFETIME_SECONDS,
  CommandLineSignIns,
  RateLimited,
} from '@app/auth';
import { Body, Controller, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import {
  CurrentActor,
  CurrentClientInfo,
  CurrentMemberSession,
  type MemberSession,
  RequireAccess,
} from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { parseKeyExpiry } from '../keys/parse-key-expiry.js';
import {
  ApproveCommandLineSignInDto,
  CommandLineUserCodeDto,
  CommandLinePollResponse,
  StartedCommandLineSignInResponse,
  PollCommandLineSignInDto,
  StartCommandLineSignInDto,
  PendingCommandLineSignInResponse,
} from './command-line.dto.js';

/** The command line starts a sign-in and polls for its key; a member approves it in between. Codes are in bodies, because paths are logged. */
@UseConsoleGuardsAndTag('command-line')
@Controller('console/api/command-line')
export class CommandLineSignInController {
  constructor(
    private readonly signIns: CommandLineSignIns,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  @Post('start')
  @RequireAccess('anyone')
  @ApiConsoleRoute(
    'startCommandLineSignIn',
    'Begin a sign-in of the command line',
    StartedCommandLineSignInResponse,
  )
  async start(
    @Body() { machine }: StartCommandLineSignInDto,
    @CurrentClientInfo() { address }: ClientInfo,
  ): Promise<StartedCommandLineSignInResponse> {
    const { deviceCode, userCode } = await this.signIns.start(machine, address);
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: `${this.options.publicUrl}/console/command-line`,
      expires_in: COMMAND_LINE_SIGN_IN_LIFETIME_SECONDS,
      interval: COMMAND_LINE_POLL_INTERVAL_SECONDS,
    };
  }

  @Post('poll')
  @RequireAccess('anyone')
  @ApiConsoleRoute('pollCommandLineSignIn', 'Get the key once a member has approved', CommandLinePollResponse)
  async poll(
    @Body() { device_code }: PollCommandLineSignInDto,
    @CurrentClientInfo() { address }: ClientInfo,
    @Req() { id: requestId }: FastifyRequest,
  ): Promise<CommandLinePollResponse> {
    const result = await this.signIns.poll(device_code, { address, requestId });
    return { state: result.state, api_key: result.state === 'approved' ? result.apiKey : null };
  }

  @Post('preview')
  @RequireAccess('keys.create')
  @ApiConsoleRoute(
    'previewCommandLine',
    'Retrieve the pending sign-in of a code',
    PendingCommandLineSignInResponse,
  )
  async preview(
    @CurrentMemberSession() { userId }: MemberSession,
    @CurrentClientInfo() { address }: ClientInfo,
    @Body() { user_code }: CommandLineUserCodeDto,
  ): Promise<PendingCommandLineSignInResponse> {
    const waiting = await this.signIns.getPending(user_code, { userId, address });
    return { machine: waiting.machine, address: waiting.address, expires_at: waiting.expiresAt };
  }

  @Post('approve')
  @RateLimited('console.key')
  @RequireAccess('keys.create')
  @ApiConsoleRoute('approveCommandLine', 'Approve the sign-in of a command line')
  approve(
    @CurrentMemberSession() { accountId, userId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { user_code, name, expires_at }: ApproveCommandLineSignInDto,
  ): Promise<void> {
    const key = { accountId, userId, name, expiresAt: parseKeyExpiry(expires_at ?? null) };
    return this.signIns.approve(user_code, key, actor);
  }

  @Post('refuse')
  @RequireAccess('keys.create')
  @ApiConsoleRoute('refuseCommandLine', 'Refuse the sign-in of a command line')
  refuse(
    @CurrentMemberSession() { accountId, userId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { user_code }: CommandLineUserCodeDto,
  ): Promise<void> {
    return this.signIns.refuse(user_code, { accountId, userId }, actor);
  }
}
