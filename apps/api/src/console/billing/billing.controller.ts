import { type AuditActor, type AuditedAction, recordAuditEvent, RateLimited } from '@app/auth';
import {
  CARD_PAYMENTS_TOKEN,
  type CardPayments,
  readBillingOverview,
  type ChangeAuditCallback,
  setCreditAlert,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { Mailer } from '@app/runtime';
import { Body, Controller, Delete, Get, Inject, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { SessionReauthenticator } from '../sign-in/session-reauthenticator.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { CurrentPasswordDto } from '../profile/profile.dto.js';
import { AutoRechargeDto, BalanceAlertDto, BillingResponse, toBillingResponse } from './billing.dto.js';
import { requireAvailableCardPayments } from './require-available-card-payments.js';

@UseConsoleGuardsAndTag('billing')
@RequireAccess('billing.write')
@Controller('console/api/billing')
export class BillingSettingsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    private readonly reauthenticator: SessionReauthenticator,
    @Inject(CARD_PAYMENTS_TOKEN) private readonly cards: CardPayments | null,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  @Get()
  @ApiConsoleRoute('readBilling', 'Read balance, packages, saved card and auto-recharge', BillingResponse)
  async read(@CurrentMemberSession() { accountId }: MemberSession): Promise<BillingResponse> {
    const overview = await readBillingOverview(this.dataSource, accountId, this.cards);
    if (!overview) throw new ServiceError('no_such_resource');
    return toBillingResponse(overview, {
      creditsPerSecond: this.options.creditsPerSecond,
      sendsMail: this.mailer.isConfigured,
    });
  }

  @Put('auto-recharge')
  @RateLimited('console.auto-recharge')
  @ApiConsoleRoute('saveAutoRecharge', 'Turn auto-recharge on, or change it')
  saveAutoRecharge(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { below, credits, monthly_limit: monthlyLimit = null }: AutoRechargeDto,
  ): Promise<void> {
    const details = { below, credits, monthly_limit: monthlyLimit };
    return requireAvailableCardPayments(this.cards).saveAutoRecharge(
      accountId,
      { below, credits, monthlyLimit },
      recordAs(actor, { accountId, action: 'payment.auto_recharge_changed', details }),
    );
  }

  @Delete('auto-recharge')
  @ApiConsoleRoute('endAutoRecharge', 'Turn auto-recharge off')
  endAutoRecharge(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
  ): Promise<void> {
    return requireAvailableCardPayments(this.cards).saveAutoRecharge(
      accountId,
      null,
      recordAs(actor, { accountId, action: 'payment.auto_recharge_ended' }),
    );
  }

  @Delete('card')
  @RateLimited('console.card')
  @ApiConsoleRoute('removeSavedCard', 'Remove the saved card, which ends auto-recharge')
  async removeCard(
    @CurrentMemberSession() session: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { current_password }: CurrentPasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const cards = requireAvailableCardPayments(this.cards);
    await this.reauthenticator.confirm(session, current_password, actor.address, reply);
    const { accountId } = session;
    await cards.removeSavedCard(accountId, recordAs(actor, { accountId, action: 'payment.card_removed' }));
  }

  @Put('alert')
  @RateLimited('console.alert')
  @ApiConsoleRoute('setBalanceAlert', 'Set the balance below which owners and admins get a mail')
  setAlert(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { below = null }: BalanceAlertDto,
  ): Promise<void> {
    return inTransaction(this.dataSource, async (tx) => {
      await setCreditAlert(tx, accountId, below);
      await recordAuditEvent(tx, actor, {
        accountId,
        action: 'payment.alert_changed',
        details: { below },
      });
    });
  }
}

function recordAs(actor: AuditActor, entry: AuditedAction): ChangeAuditCallback {
  return (tx) => recordAuditEvent(tx, actor, entry);
}
