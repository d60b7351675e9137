import os, { type NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SsrfBlockedError } from './ssrf-errors.js';
import { OutboundGuard } from './outbound-guard.js';

describe('OutboundGuard with refused targets', () => {
  const addresses: Record<string, string[]> = {
    'a.example': ['8.8.8.8'],
    'translated.example': ['64:ff9b::808:808'],
  };
  const resolver = async (name: string) => addresses[name] ?? ['9.9.9.9'];
  const guard = new OutboundGuard({
    allow: ['10.0.0.1', 'b.example', '64:ff9b:1::/48', '2002::/16', 'translated.example'],
    deny: ['8.8.8.0/24', '10.0.0.1', 'c.example', '9.9.9.9'],
    resolver,
  });

  it.each([
    'http://8.8.8.8/',
    'http://10.0.0.1/',
    'http://a.example/',
    'http://b.example/',
    'http://c.example/',
    'http://[64:ff9b::808:808]/',
    'http://[64:ff9b:1::808:808]/',
    'http://[64:ff9b:1:808:8:800::]/',
    'http://[2002:808:808::1]/',
    'http://translated.example/',
  ])('rejects %s although it is public or permitted', async (url) => {
    await expect(guard.assertPublic(url)).rejects.toBeInstanceOf(SsrfBlockedError);
  });

  it('takes an IPv4-mapped CIDR for the IPv4 network', async () => {
    const mapped = new OutboundGuard({
      allow: ['::ffff:10.1.0.0/112'],
      deny: ['::ffff:8.8.8.0/120'],
      resolver,
    });
    for (const host of ['8.8.8.8', '[::ffff:8.8.8.8]', '10.2.0.1'])
      await expect(mapped.assertPublic(`http://${host}/`), host).rejects.toBeInstanceOf(SsrfBlockedError);
    for (const host of ['8.8.4.4', '10.1.2.3'])
      await expect(mapped.assertPublic(`http://${host}/`), host).resolves.toBeUndefined();
    expect(() => new OutboundGuard({ allow: [], deny: ['::ffff:8.8.8.0/24'] })).toThrow('::ffff:8.8.8.0/24');
  });

  it('rejects the public addresses of this machine, unless they are permitted', async () => {
    const own = [{ address: '8.8.4.4' }] as NetworkInterfaceInfo[];
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: own });
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    for (const host of ['8.8.4.4', '[64:ff9b::808:404]'])
      await expect(guard.assertPublic(`http://${host}/`), host).rejects.toBeInstanceOf(SsrfBlockedError);
    const permitting = new OutboundGuard({ allow: ['8.8.4.4'], resolver });
    await expect(permitting.assertPublic('http://8.8.4.4/')).resolves.toBeUndefined();
  });

  it('does not reach private addresses by a translator that is permitted, unless they are permitted themselves', async () => {
    const translating = new OutboundGuard({ allow: ['64:ff9b:1::/48', '2002::/16', '10.0.0.2'], resolver });
    for (const host of [
      '[64:ff9b:1::a00:1]',
      '[64:ff9b:1:a00:0:100::]',
      '[2002:a00:1::1]',
      '[2002:7f00:1::1]',
    ])
      await expect(translating.assertPublic(`http://${host}/`), host).rejects.toBeInstanceOf(
        SsrfBlockedError,
      );
    for (const host of ['[64:ff9b:1::909:909]', '[2002:909:909::1]', '[2002:a00:2::1]'])
      await expect(translating.assertPublic(`http://${host}/`), host).resolves.toBeUndefined();
  });
});
