import { describe, expect, it } from 'vitest';
import { computeConnectionsPerProgram, judgeConnections } from './connection-checks.js';

describe('judgeConnections', () => {
  it('states how many programs the limit of the server is enough for', () => {
    const finding = judgeConnections({ permitted: 97, open: 10 }, 22);
    expect(finding).toMatchObject({ status: 'ok' });
    expect(finding.detail).toContain(
      'each API and processor takes up to 22; the server permits 97, enough for 4',
    );
  });

  it('finds a problem if an API and a processor do not fit', () => {
    expect(judgeConnections({ permitted: 40, open: 5 }, 22)).toMatchObject({ status: 'problem' });
    expect(judgeConnections({ permitted: 48, open: 5 }, 22)).toMatchObject({ status: 'ok' });
  });

  it('warns when most of the permitted connections are open', () => {
    expect(judgeConnections({ permitted: 100, open: 81 }, 12)).toMatchObject({ status: 'warning' });
  });
});

describe('computeConnectionsPerProgram', () => {
  it('counts the connections of a queue in Postgres', () => {
    expect(computeConnectionsPerProgram(12, false)).toBe(12);
    expect(computeConnectionsPerProgram(12, true)).toBe(22);
  });
});
