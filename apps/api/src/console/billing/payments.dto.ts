import type { ListedPayment } from '@app/billing';
import { ApiProperty } from '@nestjs/swagger';
import { NumberField, TextField, TimeField } from '../console.openapi.js';

export class PaymentResponse {
  @TextField({ format: 'uuid' })
  id: string;

  @TextField({ enum: ['top_up', 'recharge'] })
  kind: string;

  @TextField({ enum: ['checkout', 'requested', 'action_required', 'settled', 'declined', 'expired'] })
  state: string;

  @NumberField()
  credits: number;

  @NumberField({
    nullable: true,
    description: 'In the smallest unit of the currency; null if the operator collects it.',
  })
  amount: number | null;

  @TextField({ nullable: true, description: 'Lower case, such as `usd`.' })
  currency: string | null;

  @NumberField({ description: 'In the smallest unit of the currency.' })
  refunded_amount: number;

  @NumberField({ description: 'Credits that refunds and lost disputes took back.' })
  reversed_credits: number;

  @TextField({ nullable: true, description: 'Why it was declined, as the payment provider names it.' })
  failure: string | null;

  @TextField({ nullable: true })
  receipt_url: string | null;

  @TextField({ nullable: true, description: 'Where the owner of the card completes an open payment.' })
  action_url: string | null;

  @TimeField()
  created_at: Date;

  @TimeField({ nullable: true })
  ended_at: Date | null;
}

export class PaymentListResponse {
  @ApiProperty({ type: [PaymentResponse], description: 'Newest first.' })
  payments: PaymentResponse[];

  @TextField({ nullable: true, format: 'uuid' })
  next_before: string | null;
}

export function toPaymentResponse(payment: ListedPayment): PaymentResponse {
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
    action_url: payment.actionUrl,
    created_at: payment.createdAt,
    ended_at: payment.endedAt,
  };
}
