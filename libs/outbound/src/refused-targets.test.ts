import os, { type NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SsrfBlockedError } from './ssrf-errors.js';
import { OutboundGuard } from './outbound-guard.js';

describe('OutboundGuard with refused targets', () => {
  const resolver = async (name: string) => (name === 'a.example' ? ['8.8.8.8'] : ['9.9.9.9']);
  const guard = new OutboundGuard({
    allow: ['10.0.0.1', 'b.example'],
    deny: ['8.8.8.0/24', '10.0.0.1', 'c.example', '9.9.9.9'],
    resolver,
  });

  it.each([
    'http://8.8.8.8/',
    'http://10.0.0.1/',
    'http://a.example/',
    'http://b.example/',
    'http://c.example/',
  ])('rejects %s although it is public or permitted', async (url) => {
    await expect(guard.assertPublic(url)).rejects.toBeInstanceOf(SsrfBlockedError);
  });

  it('rejects the public addresses of this machine, unless they are permitted', async () => {
    const own = [{ address: '8.8.4.4' }] as NetworkInterfaceInfo[];
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: own });
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    await expect(guard.assertPublic('http://8.8.4.4/')).rejects.toBeInstanceOf(SsrfBlockedError);
    const permitting = new OutboundGuard({ allow: ['8.8.4.4'], resolver });
    await expect(permitting.assertPublic('http://8.8.4.4/')).resolves.toBeUndefined();
  });
});
