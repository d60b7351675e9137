import { describe, expect, it } from 'vitest';
import { loadConfig } from '../load-config.js';

describe('outbound settings', () => {
  it('allow no private target by default', () => {
    expect(loadConfig({}).outbound.allow).toEqual([]);
  });

  it('accept IP addresses, CIDRs and host names', () => {
    const entries = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1', 'recordings', 'files.corp.example'];
    expect(loadConfig({ OUTBOUND_ALLOW: entries.join(', ') }).outbound.allow).toEqual(entries);
  });

  it.each(['10.0.0.0/33', '10.0.0/8', 'http://files', '127.1', '*', 'a b', 'fd00::/129', '10.0.0.0/8/8'])(
    'reject %s as a target',
    (entry) => {
      expect(() => loadConfig({ OUTBOUND_ALLOW: entry })).toThrow(/OUTBOUND_ALLOW/);
    },
  );

  it('allow exactly four webhook attempts', () => {
    expect(loadConfig({}).outbound.webhookBackoffSeconds).toEqual([5, 30, 120]);
    expect(loadConfig({ WEBHOOK_BACKOFF_SECONDS: '0,1,2' }).outbound.webhookBackoffSeconds).toEqual([
      0, 1, 2,
    ]);
    for (const wrong of ['1,2', '1,2,3,4', '1,2,x', '-1,2,3'])
      expect(() => loadConfig({ WEBHOOK_BACKOFF_SECONDS: wrong })).toThrow(/WEBHOOK_BACKOFF_SECONDS/);
  });

  it.each(['OUTBOUND_ALLOW', 'OUTBOUND_DENY'])(
    '%s refuses an IPv4-mapped CIDR that is no IPv4 network',
    (name) => {
      expect(() => loadConfig({ [name]: '::ffff:8.8.8.0/24' })).toThrow(new RegExp(`${name}.*96`));
      expect(() => loadConfig({ [name]: '::ffff:8.8.8.0/120, ::/0' })).not.toThrow();
    },
  );
});
