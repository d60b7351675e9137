import { describe, expect, it } from 'vitest';
import {
  buildConnectionLimitFinding,
  buildLongTransactionFinding,
  computeMaxConnectionsPerProgram,
} from './connection-checks.js';

describe('buildConnectionLimitFinding', () => {
  it('states how many programs the limit of the server is enough for', () => {
    const finding = buildConnectionLimitFinding({ permitted: 97, open: 10 }, 22);
    expect(finding).toMatchObject({ status: 'ok' });
    expect(finding.detail).toContain(
      'each API and processor takes up to 22; the server permits 97, enough for 4',
    );
  });

  it('finds a problem if an API and a processor do not fit', () => {
    expect(buildConnectionLimitFinding({ permitted: 40, open: 5 }, 22)).toMatchObject({ status: 'problem' });
    expect(buildConnectionLimitFinding({ permitted: 48, open: 5 }, 22)).toMatchObject({ status: 'ok' });
  });

  it('warns when most of the permitted connections are open', () => {
    expect(buildConnectionLimitFinding({ permitted: 100, open: 81 }, 12)).toMatchObject({
      status: 'warning',
    });
  });
});

describe('computeMaxConnectionsPerProgram', () => {
  it('counts the connections of a queue in Postgres', () => {
    expect(computeMaxConnectionsPerProgram(12, false)).toBe(12);
    expect(computeMaxConnectionsPerProgram(12, true)).toBe(22);
  });
});

describe('buildOldTransactionFinding', () => {
  it.each([
    [undefined, 'ok'],
    [{ pid: 7, program: 'zephyr-backup', seconds: 899 }, 'ok'],
    [{ pid: 7, program: 'psql', seconds: 900 }, 'warning'],
  ])('%o: %s', (oldest, status) => {
    expect(buildLongTransactionFinding(oldest)).toMatchObject({ status });
  });

  it('names the session and its program', () => {
    const { detail } = buildLongTransactionFinding({ pid: 7, program: 'psql', seconds: 3_600 });
    expect(detail).toBe('session 7 (psql) has a transaction that began 60 minutes ago');
  });
});
