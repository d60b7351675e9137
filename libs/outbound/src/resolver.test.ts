import pTimeout from 'p-timeout';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type TestDnsServer, startTestDnsServer } from './testing/test-dns-server.js';
import { OutboundGuard } from './outbound-guard.js';
import { UnansweredDnsNameError } from './ssrf-errors.js';
import {
  createChainedResolver,
  createDnsResolver,
  createHedgedResolver,
  createSystemResolver,
  type Resolver,
} from './resolver.js';

let server: TestDnsServer;
let resolver: Resolver;
/** Gives up soon. */
let impatient: Resolver;

beforeAll(async () => {
  server = await startTestDnsServer();
  server.names
    .set('both.example', ['8.8.8.8', '1.1.1.1', '2606:4700::1111'])
    .set('four.example', ['8.8.8.8'])
    .set('six.example', ['2606:4700::1111'])
    .set('mixed.example', ['8.8.8.8', '10.0.0.1'])
    .set('mixed-kinds.example', ['8.8.8.8', '::ffff:10.0.0.1'])
    .set('silent.example', 'silent')
    .set('failing.example', 'failing');
  resolver = createDnsResolver(20_000, [server.address]);
  impatient = createDnsResolver(400, [server.address]);
});
afterAll(() => server?.close());

describe('createDnsResolver', () => {
  it('resolves IPv4 and IPv6 addresses', async () => {
    expect((await resolver('both.example')).toSorted()).toEqual(['1.1.1.1', '2606:4700::1111', '8.8.8.8']);
    expect(await resolver('four.example')).toEqual(['8.8.8.8']);
    expect(await resolver('six.example')).toEqual(['2606:4700::1111']);
  });

  it('resolves an unknown name to no addresses', async () => {
    expect(await resolver('absent.example')).toEqual([]);
  });

  it('fails in time when the server does not answer', async () => {
    const startedAt = performance.now();
    await expect(impatient('silent.example')).rejects.toThrow();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('asks the name servers about the root once if names stay unanswered, and knows from any answer that they respond', async () => {
    server.names.set('silent-too.example', 'silent');
    const asking = createDnsResolver(400, [server.address]);
    const before = server.lookupCount('');
    for (const name of ['silent.example', 'silent-too.example', 'silent.example'])
      await expect(asking(name)).rejects.toBeInstanceOf(UnansweredDnsNameError);
    expect(server.lookupCount('')).toBe(before + 1);
  });

  it('tells a name with failing name servers from a resolver that answers nothing but failures', async () => {
    await expect(resolver('failing.example')).rejects.toBeInstanceOf(UnansweredDnsNameError);
  });

  it.each(['silent', 'failing', 'refusing'] as const)(
    'fails otherwise if the name servers are %s',
    async (kind) => {
      const down = await startTestDnsServer();
      const answer = kind === 'failing' ? 'failing' : 'silent';
      down.names.set('a.example', answer).set('', answer);
      if (kind === 'refusing') down.close();
      else onTestFinished(() => down.close());
      const failure = createDnsResolver(400, [down.address])('a.example');
      await expect(failure).rejects.toThrow();
      await expect(failure).rejects.not.toBeInstanceOf(UnansweredDnsNameError);
    },
  );

  it('passes every address to the guard', async () => {
    const guard = new OutboundGuard({ allow: [], resolver });
    await expect(guard.assertPublic('http://both.example/')).resolves.toBeUndefined();
    for (const name of ['mixed', 'mixed-kinds'])
      await expect(guard.assertPublic(`http://${name}.example/`)).rejects.toThrow('public addresses only');
    const waiting = new OutboundGuard({ allow: [], resolver: impatient }).assertPublic(
      'http://silent.example/',
    );
    await expect(waiting).rejects.toThrow('public addresses only');
  });
});

describe('createSystemResolver', () => {
  it('resolves local names, and unknown names to no addresses', async () => {
    expect(await createSystemResolver(2_000)('localhost')).toEqual(expect.arrayContaining(['127.0.0.1']));
    expect(await createSystemResolver(2_000)('no-such-name.invalid')).toEqual([]);
  });
});

describe('createChainedResolver', () => {
  it('tries the next resolver after an empty answer, but not after a failure', async () => {
    const last = vi.fn(async () => ['8.8.8.8']);
    expect(await createChainedResolver(resolver, last)('absent.example')).toEqual(['8.8.8.8']);
    expect(await createChainedResolver(resolver, last)('four.example')).toEqual(['8.8.8.8']);
    expect(last).toHaveBeenCalledTimes(1);
    await expect(createChainedResolver(impatient, last)('silent.example')).rejects.toThrow();
    expect(last).toHaveBeenCalledTimes(1);
  });

  it('tries the next resolver after a failure that a name server has reported, and fails if that finds nothing', async () => {
    const last = vi.fn(async (name: string) => (name === 'failing.example' ? ['10.0.0.1'] : []));
    expect(await createChainedResolver(resolver, last)('failing.example')).toEqual(['10.0.0.1']);
    last.mockResolvedValue([]);
    await expect(createChainedResolver(resolver, last)('failing.example')).rejects.toBeInstanceOf(
      UnansweredDnsNameError,
    );
    last.mockRejectedValue(new Error('out of time'));
    await expect(createChainedResolver(resolver, last)('failing.example')).rejects.toBeInstanceOf(
      UnansweredDnsNameError,
    );
  });

  it('knows from an answer that a name does not exist, whatever fails after it', async () => {
    const failing = vi.fn(() => Promise.reject(new Error('out of time')));
    expect(await createChainedResolver(resolver, failing)('absent.example')).toEqual([]);
    expect(failing).toHaveBeenCalledTimes(1);
  });
});

describe('createHedgedResolver', () => {
  const late: Resolver = () => pTimeout(new Promise<string[]>(() => {}), { milliseconds: 100 });
  const local = vi.fn(async (name: string) => (name === 'local.example' ? ['10.0.0.1'] : []));

  it('takes the addresses of the second resolver if the first does not answer', async () => {
    expect(await createHedgedResolver(late, resolver, 50)('four.example')).toEqual(['8.8.8.8']);
  });

  it('does not ask the second resolver if the first finds an address', async () => {
    const second = vi.fn(async () => ['8.8.8.8']);
    expect(await createHedgedResolver(local, second, 60_000)('local.example')).toEqual(['10.0.0.1']);
    expect(second).not.toHaveBeenCalled();
    expect(await createHedgedResolver(local, second, 60_000)('absent.example')).toEqual(['8.8.8.8']);
  });

  it('prefers a late address of the first resolver', async () => {
    let find: (addresses: string[]) => void = () => {};
    const hedged = createHedgedResolver(
      () => new Promise((resolve) => (find = resolve)),
      async () => {
        find(['10.0.0.1']);
        return ['8.8.8.8'];
      },
      50,
    );
    expect(await hedged('local.example')).toEqual(['10.0.0.1']);
  });

  it('fails if either fails and none finds an address, and else finds none', async () => {
    await expect(createHedgedResolver(late, resolver, 50)('absent.example')).rejects.toThrow('timed out');
    await expect(createHedgedResolver(local, impatient, 50)('silent.example')).rejects.toBeInstanceOf(
      UnansweredDnsNameError,
    );
    expect(await createHedgedResolver(local, resolver, 50)('absent.example')).toEqual([]);
  });
});

it('lookups by the system occupy two threads at most, and the others wait for them', async () => {
  const pending: (() => void)[] = [];
  const lookUp = vi.fn(() => new Promise((resolve) => pending.push(() => resolve([{ address: '8.8.8.8' }]))));
  const resolve = createSystemResolver(60_000, lookUp as never);
  const found = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => resolve(`${name}.example`)));
  expect(lookUp).toHaveBeenCalledTimes(2);
  for (let count = 0; count < 5; count += 1) {
    await vi.waitUntil(() => pending.length > 0);
    pending.shift()?.();
  }
  expect(await found).toEqual(Array.from({ length: 5 }, () => ['8.8.8.8']));
  expect(lookUp).toHaveBeenCalledTimes(5);
});

describe('lookups by the system that hang', () => {
  const hangingLookUp = () => {
    const pending = new Map<string, () => void>();
    const lookUp = vi.fn((name: string) =>
      name.startsWith('hanging')
        ? new Promise((resolve) => pending.set(name, () => resolve([])))
        : Promise.resolve([{ address: '10.0.0.1' }]),
    );
    onTestFinished(() => pending.forEach((end) => end()));
    return { lookUp, pending };
  };

  it('fail, and are not taken for names that do not exist', async () => {
    const { lookUp } = hangingLookUp();
    await expect(createSystemResolver(100, lookUp as never)('hanging.example')).rejects.toThrow();
  });

  it('leave a thread to the names that the operator allows', async () => {
    const { lookUp } = hangingLookUp();
    const others = createSystemResolver(100, lookUp as never, 'other');
    const names = Array.from({ length: 5 }, (_, index) => `hanging-${index}.example`);
    const failing = Promise.allSettled(names.map((name) => others(name)));
    const allowed = createSystemResolver(60_000, lookUp as never, 'allowed');
    expect(await allowed('db.internal')).toEqual(['10.0.0.1']);
    expect((await failing).map(({ status }) => status)).toEqual(names.map(() => 'rejected'));
  });

  it('are not started after their time, and then leave their place in the queue to others', async () => {
    const { lookUp, pending } = hangingLookUp();
    const impatientOthers = createSystemResolver(100, lookUp as never, 'other');
    const names = Array.from({ length: 101 }, (_, index) => `hanging-${index}.example`);
    await Promise.allSettled(names.map((name) => impatientOthers(name)));
    const waiting = createSystemResolver(60_000, lookUp as never, 'other')('found.example');
    expect([...pending.keys()]).toEqual(['hanging-0.example']);
    pending.get('hanging-0.example')?.();
    expect(await waiting).toEqual(['10.0.0.1']);
    expect(lookUp.mock.calls.map(([name]) => name)).toEqual(['hanging-0.example', 'found.example']);
  });
});
