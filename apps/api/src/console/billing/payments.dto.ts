import type { AccountPayment } from '@app/billing';
import { ApiProperty } from '@nestjs/swagger';
import { ApiNumberProperty, ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';

export class PaymentDisputeResponse {
  @ApiTextProperty({
    description:
      'As the payment provider names it, such as `needs_response`, `won` or `lost`; `warning_…` is an inquiry, which suspends nothing.',
  })
  status: string;

  @ApiNumberProperty({ description: 'In the smallest unit of the currency.' })
  amount: number;

  @ApiTextProperty({ description: 'Lower case, such as `usd`.' })
  currency: string;

  @ApiTimeProperty()
  created_at: Date;

  @ApiTimeProperty({ nullable: true })
  closed_at: Date | null;
}

export class PaymentResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty({ enum: ['top_up', 'recharge'] })
  kind: string;

  @ApiTextProperty({ enum: ['checkout', 'requested', 'action_required', 'settled', 'declined', 'expired'] })
  state: string;

  @ApiNumberProperty()
  credits: number;

  @ApiNumberProperty({
    nullable: true,
    description: 'In the smallest unit of the currency; null if the operator collects it.',
  })
  amount: number | null;

  @ApiTextProperty({ nullable: true, description: 'Lower case, such as `usd`.' })
  currency: string | null;

  @ApiNumberProperty({ description: 'In the smallest unit of the currency.' })
  refunded_amount: number;

  @ApiNumberProperty({ description: 'Credits that refunds and lost disputes took back.' })
  reversed_credits: number;

  @ApiTextProperty({ nullable: true, description: 'Why it was declined, as the payment provider names it.' })
  failure: string | null;

  @ApiTextProperty({ nullable: true })
  receipt_url: string | null;

  @ApiTextProperty({
    nullable: true,
    description: 'Where the owner of the card completes an open payment; null without payments by card.',
  })
  action_url: string | null;

  @ApiTimeProperty()
  created_at: Date;

  @ApiTimeProperty({ nullable: true })
  ended_at: Date | null;

  @ApiProperty({
    type: PaymentDisputeResponse,
    nullable: true,
    description: 'The open dispute of the payment, else the newest.',
  })
  dispute: PaymentDisputeResponse | null;
}

export class PaymentListResponse {
  @ApiProperty({ type: [PaymentResponse], description: 'Newest first.' })
  payments: PaymentResponse[];

  @ApiTextProperty({ nullable: true, format: 'uuid' })
  next_before: string | null;
}

/** @param hasCardPayments without them nobody would hear that a payment was completed */
export function toPaymentResponse(payment: AccountPayment, hasCardPayments: boolean): PaymentResponse {
  return {
    id: payment.id,
    kind: payment.kind,
    state: payment.state,
    credits: payment.credits,
    amount: payment.amount,
    currency: payment.currency,
    refunded_amount: payment.refundedAmount,
    reversed_credits: payment.reversedCredits,
    failure: payment.failure,
    receipt_url: payment.receiptUrl,
    action_url: hasCardPayments ? payment.actionUrl : null,
    created_at: payment.createdAt,
    ended_at: payment.endedAt,
    dispute: payment.dispute && {
      status: payment.dispute.status,
      amount: payment.dispute.amount,
      currency: payment.dispute.currency,
      created_at: payment.dispute.createdAt,
      closed_at: payment.dispute.closedAt,
    },
  };
}
