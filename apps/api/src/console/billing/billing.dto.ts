import type { BillingOverview } from '@app/billing';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import {
  ApiBooleanProperty,
  ApiNumberProperty,
  ApiTextProperty,
  ApiTimeProperty,
} from '../console.openapi.js';
import { BalanceResponse, toBalanceFields } from '../usage/balance.dto.js';

const MAX_CREDITS = 10 ** 12;
const SMALLEST_UNIT = 'In the smallest unit of the currency.';
const wholeNumber = { message: 'must be a whole number' };

@ApiSchema({ name: 'StartTopUp' })
export class StartTopUpDto {
  @ApiProperty({ type: 'integer', description: 'Of one of the packages.' })
  @IsInt(wholeNumber)
  credits: number;
}

export class TopUpCheckoutResponse {
  @ApiTextProperty({ format: 'uuid' })
  payment_id: string;

  @ApiTextProperty({ description: 'The page of Stripe on which the customer pays.' })
  url: string;
}

@ApiSchema({ name: 'SaveAutoRecharge' })
export class AutoRechargeDto extends StartTopUpDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'A job that finds fewer credits starts a recharge.',
  })
  @IsInt(wholeNumber)
  below: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: `The most that is charged in a calendar month (UTC), at least the price of one recharge. Null: no limit. ${SMALLEST_UNIT}`,
  })
  @IsOptional()
  @IsInt(wholeNumber)
  monthly_limit?: number | null;
}

@ApiSchema({ name: 'SetBalanceAlert' })
export class BalanceAlertDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_CREDITS,
    nullable: true,
    description: 'Null: no alert.',
  })
  @IsOptional()
  @Max(MAX_CREDITS, { message: `must be at most ${MAX_CREDITS}` })
  @Min(1, { message: 'must be at least 1' })
  @IsInt(wholeNumber)
  below?: number | null;
}

export class AutoRechargeResponse {
  @ApiNumberProperty()
  below: number;

  @ApiNumberProperty()
  credits: number;

  @ApiNumberProperty({ nullable: true, description: SMALLEST_UNIT })
  monthly_limit: number | null;

  @ApiTextProperty({
    nullable: true,
    description:
      'Currency of the limit, lower case; null: that of payments. In another one, nothing is recharged.',
  })
  limit_currency: string | null;

  @ApiTextProperty({
    nullable: true,
    enum: ['authentication_required', 'declined', 'dispute_lost', 'restored', 'currency_changed'],
  })
  paused_because: string | null;

  @ApiTimeProperty({ nullable: true })
  paused_at: Date | null;
}

export class CreditPackageResponse {
  @ApiNumberProperty()
  credits: number;

  @ApiNumberProperty({ description: SMALLEST_UNIT })
  amount: number;
}

export class SavedCardResponse {
  @ApiTextProperty({ nullable: true })
  brand: string | null;

  @ApiTextProperty({ nullable: true })
  last4: string | null;

  @ApiTextProperty({ nullable: true, description: '`YYYY-MM`' })
  expires: string | null;
}

export class CardPaymentsOverviewResponse {
  @ApiTextProperty({ description: 'Lower case, such as `usd`.' })
  currency: string;

  @ApiProperty({ type: [CreditPackageResponse], description: 'Cheapest first.' })
  packages: CreditPackageResponse[];

  @ApiProperty({ type: SavedCardResponse, nullable: true })
  saved_card: SavedCardResponse | null;

  @ApiNumberProperty({ description: `By auto-recharge, in this calendar month (UTC). ${SMALLEST_UNIT}` })
  recharged_this_month: number;
}

export class BillingResponse extends BalanceResponse {
  @ApiBooleanProperty({ description: 'Whether alerts are sent by mail, too.' })
  sends_mail: boolean;

  @ApiProperty({ type: AutoRechargeResponse, nullable: true })
  auto_recharge: AutoRechargeResponse | null;

  @ApiProperty({
    type: CardPaymentsOverviewResponse,
    nullable: true,
    description: 'Null: the operator collects payments.',
  })
  card_payments: CardPaymentsOverviewResponse | null;
}

export function toBillingResponse(
  overview: BillingOverview,
  service: { creditsPerSecond: number; sendsMail: boolean },
): BillingResponse {
  const { autoRecharge, cardPayments } = overview;
  return {
    ...toBalanceFields(overview, {
      creditsPerSecond: service.creditsPerSecond,
      hasCardPayments: cardPayments !== null,
    }),
    sends_mail: service.sendsMail,
    auto_recharge: autoRecharge && {
      below: autoRecharge.below,
      credits: autoRecharge.credits,
      monthly_limit: autoRecharge.monthlyLimit,
      limit_currency: autoRecharge.limitCurrency,
      paused_because: autoRecharge.pause?.reason ?? null,
      paused_at: autoRecharge.pause?.since ?? null,
    },
    card_payments: cardPayments && {
      currency: cardPayments.currency,
      packages: cardPayments.packages.map(({ credits, amount }) => ({ credits, amount })),
      saved_card: cardPayments.savedCard,
      recharged_this_month: cardPayments.rechargedThisMonth,
    },
  };
}
