import { type Actor, recordAuditEvent, RateLimited } from '@app/auth';
import { CARD_PAYMENTS, type CardPayments, findAccountPayment, readPaymentListPage } from '@app/billing';
import { invalidFieldError, ServiceError } from '@app/errors';
import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { type AccountSession, CurrentActor, CurrentMember, RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';
import { ConsoleRoute } from '../console.openapi.js';
import { readQueryParameters } from '../query-values.js';
import { ResourceIdPipe } from '../resource-id.pipe.js';
import { StartTopUpDto, TopUpResponse } from './billing.dto.js';
import { PaymentListResponse, PaymentResponse, toPaymentResponse } from './payments.dto.js';
import { requireCardPayments } from './require-card-payments.js';

const PAGE_SIZE = 50;

@ConsoleController('billing')
@RequireAccess('billing.write')
@Controller('console/api/billing')
export class PaymentsController {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CARD_PAYMENTS) private readonly cards: CardPayments | null,
  ) {}

  @Get('payments')
  @ConsoleRoute('listPayments', 'List payments, newest first', PaymentListResponse)
  @ApiQuery({ name: 'before', required: false, description: '`next_before` of a page.' })
  async list(
    @CurrentMember() { accountId }: AccountSession,
    @Query() query: Record<string, unknown>,
  ): Promise<PaymentListResponse> {
    const { before } = readQueryParameters(query, ['before']);
    if (before !== undefined && !isUUID(before, 'loose'))
      throw invalidFieldError('before', 'must be the `next_before` of a page');
    const page = { limit: PAGE_SIZE, before: before ?? null };
    const { payments, nextBefore } = await readPaymentListPage(this.dataSource, accountId, page);
    return { payments: payments.map(toPaymentResponse), next_before: nextBefore };
  }

  @Post('top-ups')
  @RateLimited('console.top-up')
  @ConsoleRoute('startTopUp', 'Open a checkout page for a package of credits', TopUpResponse)
  async startTopUp(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Body() { credits }: StartTopUpDto,
  ): Promise<TopUpResponse> {
    const { paymentId, url } = await requireCardPayments(this.cards).createPackageTopUp(
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
  @ConsoleRoute('refreshPayment', 'Ask Stripe for the state of a payment', PaymentResponse)
  async refresh(
    @CurrentMember() { accountId }: AccountSession,
    @Param('id', ResourceIdPipe) id: string,
  ): Promise<PaymentResponse> {
    await this.cards?.refreshPayment(accountId, id);
    const payment = await findAccountPayment(this.dataSource, accountId, id);
    if (!payment) throw new ServiceError('no_such_resource');
    return toPaymentResponse(payment);
  }
}
