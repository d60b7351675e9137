import { type AuditActor, recordAuditEvent, RateLimited } from '@app/auth';
import {
  CARD_PAYMENTS_TOKEN,
  type CardPayments,
  findAccountPayment,
  readPaymentListPage,
} from '@app/billing';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { parseAllowedQueryParameters } from '../parse-query-parameters.js';
import { UuidResourceIdPipe } from '../resource-id.pipe.js';
import { StartTopUpDto, TopUpCheckoutResponse } from './billing.dto.js';
import { PaymentListResponse, PaymentResponse, toPaymentResponse } from './payments.dto.js';
import { requireAvailableCardPayments } from './require-available-card-payments.js';

const PAGE_SIZE = 50;

@UseConsoleGuardsAndTag('billing')
@RequireAccess('billing.write')
@Controller('console/api/billing')
export class PaymentsAndTopUpsController {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CARD_PAYMENTS_TOKEN) private readonly cards: CardPayments | null,
  ) {}

  @Get('payments')
  @ApiConsoleRoute('listPayments', 'List payments, newest first', PaymentListResponse)
  @ApiQuery({ name: 'before', required: false, description: '`next_before` of a page.' })
  async list(
    @CurrentMemberSession() { accountId }: MemberSession,
    @Query() query: Record<string, unknown>,
  ): Promise<PaymentListResponse> {
    const { before } = parseAllowedQueryParameters(query, ['before']);
    if (before !== undefined && !isUUID(before, 'loose'))
      throw createInvalidFieldError('before', 'must be the `next_before` of a page');
    const page = { limit: PAGE_SIZE, before: before ?? null };
    const { payments, nextBefore } = await readPaymentListPage(this.dataSource, accountId, page);
    const hasCardPayments = this.cards !== null;
    return {
      payments: payments.map((payment) => toPaymentResponse(payment, hasCardPayments)),
      next_before: nextBefore,
    };
  }

  @Post('top-ups')
  @RateLimited('console.top-up')
  @ApiConsoleRoute('startTopUp', 'Open a checkout page for a package of credits', TopUpCheckoutResponse)
  async startTopUp(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { credits }: StartTopUpDto,
  ): Promise<TopUpCheckoutResponse> {
    const { paymentId, url } = await requireAvailableCardPayments(this.cards).createPackageTopUp(
      accountId,
      credits,
      (tx, target) =>
        recordAuditEvent(tx, actor, {
          accountId,
          action: 'payment.top_up_started',
          target,
          details: { credits },
        }),
    );
    return { payment_id: paymentId, url };
  }

  /** For the page that Stripe sends the customer back to: the webhook may come later. */
  @Post('payments/:id/refresh')
  @RateLimited('console.payment-refresh')
  @ApiConsoleRoute('refreshPayment', 'Ask Stripe for the state of a payment', PaymentResponse)
  async refresh(
    @CurrentMemberSession() { accountId }: MemberSession,
    @Param('id', UuidResourceIdPipe) id: string,
  ): Promise<PaymentResponse> {
    await this.cards?.refreshPayment(accountId, id);
    const payment = await findAccountPayment(this.dataSource, accountId, id);
    if (!payment) throw new ServiceError('no_such_resource');
    return toPaymentResponse(payment, this.cards !== null);
  }
}
