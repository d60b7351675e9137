import { type Actor, type AuditEntry, recordAuditEvent, UserConfirmation, RateLimited } from '@app/auth';
import {
  CARD_PAYMENTS,
  type CardPayments,
  readBillingOverview,
  type RecordChange,
  setCreditAlert,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import { Mailer } from '@app/runtime';
import { Body, Controller, Delete, Get, Inject, Put } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../../api-options.js';
import { type AccountSession, CurrentActor, CurrentMember, RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';
import { ConsoleRoute } from '../console.openapi.js';
import { CurrentPasswordDto } from '../profile.dto.js';
import { AutoRechargeDto, BalanceAlertDto, BillingResponse, toBillingResponse } from './billing.dto.js';
import { requireCardPayments } from './require-card-payments.js';

@ConsoleController('billing')
@RequireAccess('billing.write')
@Controller('console/api/billing')
export class BillingController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    private readonly confirmation: UserConfirmation,
    @Inject(CARD_PAYMENTS) private readonly cards: CardPayments | null,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  @Get()
  @ConsoleRoute('readBilling', 'Read balance, packages, saved card and auto-recharge', BillingResponse)
  async read(@CurrentMember() { accountId }: AccountSession): Promise<BillingResponse> {
    const overview = await readBillingOverview(this.dataSource, accountId, this.cards);
    if (!overview) throw new ServiceError('no_such_resource');
    return toBillingResponse(overview, {
      creditsPerSecond: this.options.creditsPerSecond,
      sendsMail: this.mailer.isConfigured,
    });
  }

  @Put('auto-recharge')
  @ConsoleRoute('saveAutoRecharge', 'Turn auto-recharge on, or change it')
  saveAutoRecharge(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Body() { below, credits, monthly_limit: monthlyLimit = null }: AutoRechargeDto,
  ): Promise<void> {
    const details = { below, credits, monthly_limit: monthlyLimit };
    return requireCardPayments(this.cards).saveAutoRecharge(
      accountId,
      { below, credits, monthlyLimit },
      recordAs(actor, { accountId, action: 'payment.auto_recharge_changed', details }),
    );
  }

  @Delete('auto-recharge')
  @ConsoleRoute('endAutoRecharge', 'Turn auto-recharge off')
  endAutoRecharge(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return requireCardPayments(this.cards).saveAutoRecharge(
      accountId,
      null,
      recordAs(actor, { accountId, action: 'payment.auto_recharge_ended' }),
    );
  }

  @Delete('card')
  @RateLimited('console.card')
  @ConsoleRoute('removeSavedCard', 'Remove the saved card, which ends auto-recharge')
  async removeCard(
    @CurrentMember() session: AccountSession,
    @CurrentActor() actor: Actor,
    @Body() { current_password }: CurrentPasswordDto,
  ): Promise<void> {
    const cards = requireCardPayments(this.cards);
    await this.confirmation.confirm(session, current_password, actor.address);
    const { accountId } = session;
    await cards.removeSavedCard(accountId, recordAs(actor, { accountId, action: 'payment.card_removed' }));
  }

  @Put('alert')
  @ConsoleRoute('setBalanceAlert', 'Set the balance below which owners and admins get a mail')
  setAlert(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
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

function recordAs(actor: Actor, entry: AuditEntry): RecordChange {
  return (tx) => recordAuditEvent(tx, actor, entry);
}
