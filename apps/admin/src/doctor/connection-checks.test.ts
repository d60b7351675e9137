import { describe, expect, it } from 'vitest';
import { computeMaxConnectionsPerProgram, buildConnectionLimitFinding } from './connection-checks.js';

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
