import type { CreditAndPaymentStatus } from '@app/billing';
import { ApiBooleanProperty, ApiNumberProperty } from '../console.openapi.js';

export class BalanceResponse {
  @ApiNumberProperty({ description: 'Available credits.' })
  balance: number;

  @ApiNumberProperty({ description: 'Credits of open jobs, not part of the balance.' })
  held: number;

  @ApiNumberProperty({
    description:
      'Credits of refunded or disputed payments that were spent already. Until they are paid, no jobs are created.',
  })
  owed: number;

  @ApiBooleanProperty({ description: 'A payment is disputed. Until the dispute ends, no jobs are created.' })
  disputed: boolean;

  @ApiBooleanProperty({ description: 'The operator has suspended the account.' })
  suspended: boolean;

  @ApiNumberProperty({ nullable: true, description: 'A balance below it is reported.' })
  alert_below: number | null;

  @ApiNumberProperty({
    description: 'Recharges that the owner of the card has to confirm; 0 without payments by card.',
  })
  payments_to_confirm: number;

  @ApiBooleanProperty({
    description:
      'Auto-recharge is paused: a payment was declined or has to be confirmed, a dispute was lost, or the service was restored.',
  })
  recharge_paused: boolean;

  @ApiBooleanProperty({
    description:
      'Auto-recharge charges the saved card, within its monthly limit, when a job finds too few credits; false while it is paused.',
  })
  recharges: boolean;

  @ApiNumberProperty({ description: 'Price of a second of audio in credits; 0: jobs cost nothing.' })
  credits_per_second: number;
}

export function toBalanceFields(
  summary: CreditAndPaymentStatus,
  { creditsPerSecond, hasCardPayments }: { creditsPerSecond: number; hasCardPayments: boolean },
): Pick<BalanceResponse, keyof BalanceResponse> {
  return {
    balance: summary.balance,
    held: summary.held,
    owed: summary.owed,
    disputed: summary.isDisputed,
    suspended: summary.isSuspended,
    alert_below: summary.alertBelow,
    // Without card payments their pages cannot be used, and the console has no settings of auto-recharge.
    payments_to_confirm: hasCardPayments ? summary.paymentsToConfirm : 0,
    recharge_paused: hasCardPayments && summary.isRechargePaused,
    recharges: hasCardPayments && summary.isRechargeOn,
    credits_per_second: creditsPerSecond,
  };
}
