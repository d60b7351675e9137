import { beforeEach, describe, expect, it } from 'vitest';
import { forgetShownAccount, getShownAccountId, keepShownAccount } from './shown-account.ts';

describe('the shown account', () => {
  beforeEach(forgetShownAccount);

  it('stays the first one until it is forgotten', () => {
    expect(keepShownAccount(null)).toBe(true);
    expect(keepShownAccount('a')).toBe(true);
    expect(keepShownAccount('b')).toBe(false);
    expect(keepShownAccount(null)).toBe(false);
    expect(getShownAccountId()).toBe('a');
    expect(keepShownAccount('a')).toBe(true);
    forgetShownAccount();
    expect(keepShownAccount('b')).toBe(true);
    expect(getShownAccountId()).toBe('b');
  });
});
