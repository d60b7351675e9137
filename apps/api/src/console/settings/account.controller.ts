import {
  type AuditActor,
  changeTwoFactorRequirement,
  endAccount,
  RateLimited,
  recordAuditEvent,
} from '@app/auth';
import {
  CARD_PAYMENTS_TOKEN,
  type CardPayments,
  setCreditAlert,
  setRechargeSettingsAndEndPause,
} from '@app/billing';
import { Account, inTransaction, lockAccountRow, Vocabulary } from '@app/database';
import { createInvalidFieldError } from '@app/errors';
import { changeTranscriptRetention, computeEffectiveRetentionDays } from '@app/jobs';
import { deleteEndpointsOfEndingAccount } from '@app/webhooks';
import { Body, Controller, Get, Inject, Post, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { SessionReauthenticator } from '../sign-in/session-reauthenticator.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import {
  AccountSettingsResponse,
  ChangeRetentionDto,
  ChangeTwoFactorRequirementDto,
  EndAccountDto,
  RenameAccountDto,
} from './account.dto.js';

@UseConsoleGuardsAndTag('settings')
@Controller('console/api/account')
export class AccountSettingsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reauthenticator: SessionReauthenticator,
    @Inject(CARD_PAYMENTS_TOKEN) private readonly cards: CardPayments | null,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  @Get()
  @RequireAccess('members.read')
  @ApiConsoleRoute('readAccount', 'Read the settings of the account', AccountSettingsResponse)
  async read(@CurrentMemberSession() { accountId }: MemberSession): Promise<AccountSettingsResponse> {
    const account = await this.dataSource.manager.findOneByOrFail(Account, { id: accountId });
    const { id, name, createdAt, transcriptRetentionDays: chosenDays, requiresTwoFactors } = account;
    const { transcriptDays, requiresTwoFactors: service_requires_two_factors } = this.options;
    return {
      id,
      name,
      created_at: createdAt,
      requires_two_factors: requiresTwoFactors,
      service_requires_two_factors,
      transcript_retention_days: computeEffectiveRetentionDays(chosenDays, transcriptDays),
      chosen_transcript_retention_days: chosenDays,
      operator_transcript_retention_days: transcriptDays === 0 ? null : transcriptDays,
    };
  }

  @Put()
  @RateLimited('console.change')
  @RequireAccess('account.write')
  @ApiConsoleRoute('renameAccount', 'Rename the account')
  rename(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { name }: RenameAccountDto,
  ): Promise<void> {
    return inTransaction(this.dataSource, async (tx) => {
      await lockAccountRow(tx, accountId);
      const { name: from } = await tx.findOneByOrFail(Account, { id: accountId });
      if (from === name) return;
      await tx.update(Account, { id: accountId }, { name });
      const details = { from, to: name };
      await recordAuditEvent(tx, actor, { accountId, action: 'account.renamed', target: accountId, details });
    });
  }

  @Put('retention')
  @RateLimited('console.change')
  @RequireAccess('retention.write')
  @ApiConsoleRoute('changeAccountRetention', 'Choose how long transcripts are kept')
  changeRetention(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { transcript_days: days = null, delete_older_transcripts = false }: ChangeRetentionDto,
  ): Promise<void> {
    const change = {
      days,
      operatorDays: this.options.transcriptDays,
      deletesOlder: delete_older_transcripts,
    };
    return inTransaction(this.dataSource, async (tx) => {
      const { from, older } = await changeTranscriptRetention(tx, accountId, change);
      if (from === days) return;
      const details = { from, to: days, deleted_transcripts: older };
      await recordAuditEvent(tx, actor, {
        accountId,
        action: 'account.retention_changed',
        target: accountId,
        details,
      });
    });
  }

  /** Repeating it changes nothing. */
  @Put('two-factors')
  @RateLimited('console.change')
  @RequireAccess('two_factors.write')
  @ApiConsoleRoute('changeRequiredFactors', 'Choose whether users of the account need two factors')
  async changeTwoFactors(
    @CurrentMemberSession() session: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { required }: ChangeTwoFactorRequirementDto,
  ): Promise<void> {
    const { accountId } = session;
    await inTransaction(this.dataSource, (tx) =>
      changeTwoFactorRequirement(tx, { accountId, required }, actor, session),
    );
  }

  /** Nobody can use the account afterwards. Its jobs are deleted by the processor, soon but not at once. */
  @Post('end')
  @RequireAccess('account.write')
  @ApiConsoleRoute('endAccount', 'End the account and delete its jobs')
  async end(
    @CurrentMemberSession() session: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { name, current_password }: EndAccountDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { accountId } = session;
    const account = await this.dataSource.manager.findOneByOrFail(Account, { id: accountId });
    if (account.name !== name) throw createInvalidFieldError('name', 'is not the name of the account');
    await this.reauthenticator.confirm(session, current_password, actor.address, reply);
    // Before the end, because nobody could ask for it afterwards.
    await this.cards?.closePayments(accountId, (tx) =>
      recordAuditEvent(tx, actor, { accountId, action: 'payment.card_removed' }),
    );
    await inTransaction(this.dataSource, async (tx) => {
      await deleteEndpointsOfEndingAccount(tx, accountId);
      await endAccount(tx, accountId, actor);
      await setRechargeSettingsAndEndPause(tx, accountId, null);
      await setCreditAlert(tx, accountId, null);
      await tx.delete(Vocabulary, { accountId });
    });
  }
}
