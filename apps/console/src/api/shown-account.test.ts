import { beforeEach, describe, expect, it } from 'vitest';
import { forgetShownAccount, getShownAccountId, setShownAccountIfUnset } from './shown-account.ts';

describe('the shown account', () => {
  beforeEach(forgetShownAccount);

  it('stays the first one until it is forgotten', () => {
    expect(setShownAccountIfUnset(null)).toBe(true);
    expect(setShownAccountIfUnset('a')).toBe(true);
    expect(setShownAccountIfUnset('b')).toBe(false);
    expect(setShownAccountIfUnset(null)).toBe(false);
    expect(getShownAccountId()).toBe('a');
    expect(setShownAccountIfUnset('a')).toBe(true);
    forgetShownAccount();
    expect(setShownAccountIfUnset('b')).toBe(true);
    expect(getShownAccountId()).toBe('b');
  });
});
