import { describe, expect, it } from 'vitest';
import { formatAmount, parseAmount, CreditPriceList } from './credit-price-list.js';

const list = (creditPrice: string, currency = 'usd', packages: number[] = []) =>
  new CreditPriceList({ creditPrice, currency, packages });

describe('CreditPriceList', () => {
  it.each([
    ['0.0001', 36_000, 360],
    ['0.0001', 1, 1],
    ['0.0001', 100, 1],
    ['0.0001', 101, 2],
    ['0.000000001', 1_000_000_000, 100],
    ['1', 3, 300],
    ['0.1', 3, 30],
    ['0.07', 3, 21],
  ])('at %s, %i credits cost %i cents', (price, credits, amount) => {
    expect(list(price).computeAmount(credits)).toBe(amount);
  });

  it('counts currencies without decimals in whole units', () => {
    expect(list('0.015', 'jpy').computeAmount(36_000)).toBe(540);
    expect(list('0.015', 'jpy').computeAmount(1)).toBe(1);
  });

  it('stays exact where floating point is not', () => {
    expect(list('0.000000001').computeAmount(900_000_000_000_001)).toBe(90_000_001);
    expect(list('0.29').computeAmount(1_000_000)).toBe(29_000_000);
  });

  it('has the price of every package', () => {
    expect(list('0.01', 'eur', [500, 1000]).packages).toEqual([
      { credits: 500, amount: 500, currency: 'eur' },
      { credits: 1000, amount: 1000, currency: 'eur' },
    ]);
  });
});

describe('amounts as text', () => {
  it('are formatted with the decimals of their currency', () => {
    expect(formatAmount(1250, 'usd')).toBe('12.50 USD');
    expect(formatAmount(1250, 'jpy')).toBe('1250 JPY');
  });

  it('are parsed exactly, or not at all', () => {
    expect(parseAmount('12.5', 'usd')).toBe(1250);
    expect(parseAmount('50', 'usd')).toBe(5000);
    expect(parseAmount('50', 'jpy')).toBe(50);
    for (const wrong of ['', '-1', '1.555', '1e3', 'all']) expect(parseAmount(wrong, 'usd')).toBeNull();
    expect(parseAmount('1.5', 'jpy')).toBeNull();
  });
});
