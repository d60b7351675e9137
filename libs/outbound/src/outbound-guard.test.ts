import { describe, expect, it, vi } from 'vitest';
import { SsrfBlockedError, UnansweredDnsNameError } from './ssrf-errors.js';
import { OutboundGuard } from './outbound-guard.js';

function createGuard(allow: string[], names: Record<string, string[]> = {}) {
  const resolver = vi.fn(async (name: string) => names[name] ?? []);
  return { guard: new OutboundGuard({ allow, resolver }), resolver };
}

const { guard: strict } = createGuard([]);

describe('OutboundGuard with IP address literals', () => {
  it.each([
    'http://8.8.8.8/',
    'https://1.1.1.1:8443/a?b=c',
    'http://134744072/',
    'http://[2606:4700:4700::1111]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::808:808]/',
  ])('allows %s', async (url) => {
    await expect(strict.assertPublic(url)).resolves.toBeUndefined();
  });

  it.each([
    ['loopback', 'http://127.0.0.1/'],
    ['loopback, short', 'http://127.1/'],
    ['loopback, decimal', 'http://2130706433/'],
    ['loopback, hex', 'http://0x7f000001/'],
    ['loopback, hex parts', 'http://0x7f.0x0.0x0.0x1/'],
    ['loopback, octal', 'http://017700000001/'],
    ['loopback, octal parts', 'http://0177.0.0.01/'],
    ['loopback, mixed', 'http://0x7f.1/'],
    ['loopback, three parts', 'http://127.0.1/'],
    ['loopback, hex with leading zeros', 'http://0x000000007f000001/'],
    ['loopback, octal with leading zeros', 'http://0000177.0000000.00.0000001/'],
    ['loopback, capitals', 'http://0X7F.0.0.1/'],
    ['loopback, circled digits', 'http://①②⑦.⓪.⓪.①/'],
    ['loopback, full-width digits and dots', 'http://１２７．０．０．１/'],
    ['loopback, mathematical digits', 'http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/'],
    ['loopback, Arabic digits, which make a name', 'http://١٢٧.٠.٠.١/'],
    ['loopback, half-width dots', 'http://127｡0｡0｡1/'],
    ['loopback, a tab and a line in it', 'http://127.0\t.0.\n1/'],
    ['loopback, dots percent-encoded', 'http://127%2E0%2E0%2E1/'],
    ['loopback, with a port', 'http://127.1:8080/'],
    ['loopback, last of its block', 'http://127.255.255.254/'],
    ['loopback, ideographic dots', 'http://127。0。0。1/'],
    ['loopback, percent-encoded', 'http://%31%32%37.0.0.1/'],
    ['loopback, dot at the end', 'http://127.0.0.1./'],
    ['loopback, two dots at the end', 'http://127.0.0.1../'],
    ['loopback, backslashes', 'http:\\\\127.0.0.1\\'],
    ['loopback, no slashes', 'http:127.0.0.1'],
    ['this network', 'http://0.0.0.0/'],
    ['this network, short', 'http://0/'],
    ['private 10', 'http://10.1.2.3/'],
    ['private 172', 'http://172.16.0.1/'],
    ['private 192', 'http://192.168.1.1/'],
    ['private, decimal', 'http://3232235777/'],
    ['host of machines in Azure', 'http://168.63.129.16/metadata'],
    ['link local: cloud metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['carrier-grade NAT', 'http://100.64.0.1/'],
    ['protocol assignments', 'http://192.0.0.1/'],
    ['documentation', 'http://192.0.2.1/'],
    ['benchmarking', 'http://198.18.0.1/'],
    ['multicast', 'http://224.0.0.1/'],
    ['reserved', 'http://240.0.0.1/'],
    ['broadcast', 'http://255.255.255.255/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['IPv6 loopback, long', 'http://[0:0:0:0:0:0:0:1]/'],
    ['IPv6 unspecified', 'http://[::]/'],
    ['IPv4-mapped', 'http://[::ffff:127.0.0.1]/'],
    ['IPv4-mapped, hex', 'http://[::ffff:a00:1]/'],
    ['IPv4-mapped, long', 'http://[0:0:0:0:0:ffff:127.0.0.1]/'],
    ['IPv4-mapped, capitals', 'http://[::FFFF:7F00:1]/'],
    ['IPv4-mapped link local', 'http://[::ffff:169.254.169.254]/'],
    ['IPv4-compatible', 'http://[::127.0.0.1]/'],
    ['IPv4-translated', 'http://[::ffff:0:7f00:1]/'],
    ['NAT64', 'http://[64:ff9b::10.0.0.1]/'],
    ['NAT64, hex', 'http://[64:ff9b::a9fe:a9fe]/'],
    ['NAT64, local use', 'http://[64:ff9b:1::808:808]/'],
    ['6to4', 'http://[2002:7f00:1::]/'],
    ['6to4 around a public address', 'http://[2002:808:808::1]/'],
    ['Teredo', 'http://[2001:0:7f00:1::]/'],
    ['Teredo of a public server', 'http://[2001:0:808:808:0:ffff:80ff:fffe]/'],
    ['ORCHID', 'http://[2001:20::1]/'],
    ['IPv6 benchmarking', 'http://[2001:2::1]/'],
    ['unique local', 'http://[fd00::1]/'],
    ['link local', 'http://[fe80::1]/'],
    ['link local with a zone', 'http://[fe80::1%25eth0]/'],
    ['link local with a bare zone', 'http://[fe80::1%eth0]/'],
    ['a zone on a public address', 'http://[2606:4700::1111%25eth0]/'],
    ['site local', 'http://[fec0::1]/'],
    ['IPv6 multicast', 'http://[ff02::1]/'],
    ['IPv6 documentation', 'http://[2001:db8::1]/'],
    ['discard', 'http://[100::1]/'],
    ['not yet assigned', 'http://[4000::1]/'],
  ])('rejects %s: %s', async (_, url) => {
    await expect(strict.assertPublic(url)).rejects.toBeInstanceOf(SsrfBlockedError);
  });
});

describe('OutboundGuard with other URLs', () => {
  it.each([
    'ftp://8.8.8.8/a.wav',
    'file:///etc/passwd',
    'gopher://8.8.8.8/',
    'javascript:alert(1)',
    'data:audio/wav;base64,AA==',
    '//8.8.8.8/',
    'not an address',
    '',
    'http://',
    'http://user@8.8.8.8/',
    'http://user:word@8.8.8.8/',
    'http://:word@8.8.8.8/',
    'http://8.8.8.8:99999/',
    'http://8.8.8.8@127.0.0.1/',
    'http://8.8.8.8%40127.0.0.1/',
    'http://256.0.0.1/',
    'http://4294967296/',
    'http://1.2.3.4.5/',
    'http://127.0.0.0x/',
    'http://a..example/',
    'http://-a.example/',
    `http://${'a'.repeat(64)}.example/`,
    `http://${'a.'.repeat(130)}example/`,
  ])('rejects %s', async (url) => {
    const { guard, resolver } = createGuard([]);
    await expect(guard.assertPublic(url)).rejects.toBeInstanceOf(SsrfBlockedError);
    expect(resolver).not.toHaveBeenCalled();
  });
});

const refusalOf = (guard: OutboundGuard, url: string): Promise<string> =>
  guard.assertPublic(url).then(
    () => 'admitted',
    (error: unknown) => (error as Error).message,
  );

describe('OutboundGuard with host names', () => {
  it('allows a name when every address is public', async () => {
    const { guard } = createGuard([], { 'a.example': ['8.8.8.8', '2606:4700::1111'] });
    await expect(guard.resolveAllowedAddresses('a.example')).resolves.toEqual(['8.8.8.8', '2606:4700::1111']);
  });

  it.each([
    ['one private address', ['10.0.0.1']],
    ['a private one among public ones', ['8.8.8.8', '1.1.1.1', '127.0.0.1']],
    ['a private IPv6 one among public ones', ['8.8.8.8', '::1']],
    ['a mapped one', ['::ffff:10.0.0.1']],
    ['one with a zone', ['fe80::1%lo']],
    ['a zone on a public one', ['2606:4700::1111%lo']],
    ['something else', ['localhost']],
    ['no address', []],
  ])('rejects a name with %s', async (_, addresses) => {
    const { guard } = createGuard([], { 'a.example': addresses });
    await expect(guard.assertPublic('http://a.example/')).rejects.toBeInstanceOf(SsrfBlockedError);
  });

  it('treats upper case and a trailing dot as the same name', async () => {
    const { guard, resolver } = createGuard([], { 'a.example': ['8.8.8.8'] });
    await guard.assertPublic('http://A.Example./');
    expect(resolver).toHaveBeenCalledWith('a.example');
  });

  it('rejects a name that DNS does not answer, with the same message as a private address', async () => {
    const resolver = () => Promise.reject(new UnansweredDnsNameError('servfail 10.0.0.53'));
    const unresponsiveGuard = new OutboundGuard({ allow: [], resolver });
    const { guard } = createGuard([], { 'a.example': ['10.0.0.1'] });
    const message = (refusing: OutboundGuard) =>
      refusing.assertPublic('http://a.example/').catch((error: unknown) => (error as Error).message);
    expect(await message(unresponsiveGuard)).toBe(await message(guard));
    expect(await message(guard)).not.toContain('10.0.0');
  });

  it('is not able to tell about a name while no name server responds', async () => {
    const resolver = () => Promise.reject(new Error('timeout 10.0.0.53'));
    const [onRefused, onNameServersSilent] = [vi.fn(), vi.fn()];
    const guard = new OutboundGuard({ allow: [], resolver, onRefused, onNameServersSilent });
    await expect(guard.assertPublic('http://a.example/', 'callback_url')).rejects.toMatchObject({
      ...{ code: 'service_unavailable', status: 503, retryAfter: 10 },
      detail: 'The host of callback_url cannot be looked up now.',
    });
    expect(onNameServersSilent.mock.calls).toEqual([['a.example']]);
    expect(onRefused).not.toHaveBeenCalled();
  });

  it('gives unresolvable and internal names the same message, so that callers cannot probe the network', async () => {
    const { guard } = createGuard([], {
      'inside.example': ['10.0.0.1'],
      'mixed.example': ['8.8.8.8', '10.0.0.1'],
    });
    const messages = await Promise.all(
      ['inside', 'mixed', 'nothing'].map((name) => refusalOf(guard, `http://${name}.example/`)),
    );
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toMatch(/^does not resolve/);
  });

  it.each([
    'http://127.0.0.1:8080/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'http://localhost:8080/',
    'http://app.localhost/',
    'http://printer.local/',
    'http://db.internal/',
    'http://nas.home.arpa/',
    'http://receiver/',
  ])('says about %s, by its text alone, that it is not public, and names no setting', async (url) => {
    const names = { localhost: ['127.0.0.1'], 'db.internal': ['10.0.0.1'] };
    const refusal = await refusalOf(createGuard([], names).guard, url);
    expect(refusal).toMatch(/public addresses only; .*not reachable from the service, ask its operator$/);
    expect(refusal).not.toContain('OUTBOUND_ALLOW');
  });

  it('names the request field', async () => {
    await expect(strict.assertPublic('http://10.0.0.1/', 'callback_url')).rejects.toMatchObject({
      field: 'callback_url',
    });
  });
});

describe('OutboundGuard with an allow list', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080/'],
    ['127.0.0.1', 'http://2130706433/'],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]/'],
    ['10.0.0.0/8', 'http://10.200.0.1/'],
    ['::1', 'http://[::1]/'],
    ['fd00::/8', 'http://[fd12::1]/'],
    ['10.0.0.0/8', 'http://inside.example/'],
    ['inside.example', 'http://inside.example/'],
    ['Inside.Example', 'http://inside.example./'],
  ])('%s allows %s', async (entry, url) => {
    const { guard } = createGuard([entry], { 'inside.example': ['10.0.0.7'] });
    await expect(guard.assertPublic(url)).resolves.toBeUndefined();
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.2/'],
    ['10.0.0.0/8', 'http://192.168.0.1/'],
    ['inside.example', 'http://10.0.0.7/'],
    ['inside.example', 'http://other.inside.example/'],
    ['127.0.0.1', 'http://[64:ff9b::7f00:1]/'],
    ['::/0', 'http://127.0.0.1/'],
  ])('%s does not allow %s', async (entry, url) => {
    const names = { 'inside.example': ['10.0.0.7'], 'other.inside.example': ['10.0.0.7'] };
    await expect(createGuard([entry], names).guard.assertPublic(url)).rejects.toBeInstanceOf(
      SsrfBlockedError,
    );
  });

  it('rejects an invalid network', () => {
    expect(() => new OutboundGuard({ allow: ['10.0.0.0/40'] })).toThrow();
  });
});
