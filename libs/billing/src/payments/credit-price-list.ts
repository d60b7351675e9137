const NANO = 1_000_000_000n;
/** Stripe counts these in whole units. */
const ZERO_DECIMAL_CURRENCIES = new Set(
  'bif,clp,djf,gnf,jpy,kmf,krw,mga,pyg,rwf,vnd,vuv,xaf,xof,xpf'.split(','),
);

export interface PriceListOptions {
  /** Price of one credit in units of the currency, as a decimal number with at most nine decimals. */
  creditPrice: string;
  /** Lower case, such as `usd`. */
  currency: string;
  /** Numbers of credits that can be bought. */
  packages: readonly number[];
}

export interface CreditPackage {
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
}

export class CreditPriceList {
  readonly currency: string;
  readonly packages: readonly CreditPackage[];
  /** Price of one credit in the smallest unit of the currency, times 10⁹: whole, for statements. */
  readonly nanoAmountPerCredit: string;

  constructor({ creditPrice, currency, packages }: PriceListOptions) {
    const [units = '0', decimals = ''] = creditPrice.split('.');
    const scale = 10n ** BigInt(countDecimals(currency));
    this.currency = currency;
    this.nanoAmountPerCredit = String(BigInt(units + decimals.padEnd(9, '0')) * scale);
    this.packages = packages.map((credits) => ({ credits, amount: this.computeAmount(credits), currency }));
  }

  /** In the smallest unit of the currency, rounded up. */
  computeAmount(credits: number): number {
    return Number((BigInt(credits) * BigInt(this.nanoAmountPerCredit) + NANO - 1n) / NANO);
  }
}

/** @param amount in the smallest unit of the currency. @returns for example `12.50 USD` */
export function formatAmount(amount: number, currency: string): string {
  const decimals = countDecimals(currency);
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency.toUpperCase()}`;
}

/** @param text such as `50` or `12.50`. @returns in the smallest unit; null if it is no such number or has too many decimals */
export function parseAmount(text: string, currency: string): number | null {
  const decimals = countDecimals(currency);
  const [, units, rest = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (units === undefined || rest.length > decimals) return null;
  return Number(units + rest.padEnd(decimals, '0'));
}

function countDecimals(currency: string): number {
  return ZERO_DECIMAL_CURRENCIES.has(currency) ? 0 : 2;
}
