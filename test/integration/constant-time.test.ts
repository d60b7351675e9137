import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { ApiKeys } from '@app/auth';
import { FileObjectStore, TranscriptUrlSigner } from '@app/storage';
import type { ApiKey } from '@app/database';
import type { Repository } from 'typeorm';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  verifyWebhookBodySignature,
  computeWebhookBodySignature,
} from '../../libs/webhooks/src/signing/signature.js';

/** Spies on the real function. Later test files import the same module. */
const timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual');
beforeAll(() => syncBuiltinESMExports());
afterEach(() => timingSafeEqual.mockClear());
afterAll(() => {
  timingSafeEqual.mockRestore();
  syncBuiltinESMExports();
});

const key = Buffer.alloc(32, 'k');
/** Changes the first character of a text. */
const changeFirstCharacter = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

function expectComparedInConstantTime(bytes: number): void {
  expect(timingSafeEqual).toHaveBeenCalledTimes(1);
  const [one, other] = timingSafeEqual.mock.calls[0] ?? [];
  expect([one?.byteLength, other?.byteLength]).toEqual([bytes, bytes]);
}

it('the hash of an API key is compared in constant time', async () => {
  const row = { accountId: 'a', hash: Buffer.alloc(32), limitOverrides: null };
  const createRows = (ids: readonly string[]) => ids.map((id) => ({ ...row, id }));
  const pool = {
    query: ({ values: [ids = []] }: { values: string[][] }) => Promise.resolve({ rows: createRows(ids) }),
  };
  const manager = { dataSource: { driver: { master: pool } }, insert: () => Promise.resolve() };
  const keys = new ApiKeys({ manager } as unknown as Repository<ApiKey>, { hashingKey: key });
  const { apiKey } = await keys.create('a', 'test');
  expect(await keys.verify(apiKey)).toBeNull();
  expectComparedInConstantTime(32);
});

it('the signature of a signed object URL is compared in constant time', async () => {
  const root = await mkdtemp(join(tmpdir(), 'constant-time-'));
  const store = await FileObjectStore.open({
    root,
    publicUrl: 'http://127.0.0.1',
    signingKeys: [{ id: 'k', key }],
  });
  const { searchParams } = new URL(await store.presignGet({ key: 'a', expiresIn: 60 }));
  searchParams.set('signature', changeFirstCharacter(searchParams.get('signature') ?? ''));
  expect(() => store.signer.verify('GET', 'a', searchParams)).toThrow('does not cover');
  expectComparedInConstantTime(32);
  await store.close();
  await rm(root, { recursive: true, force: true });
});

it('the signature of a transcript URL is compared in constant time', () => {
  const signer = new TranscriptUrlSigner({ publicUrl: 'http://127.0.0.1', keys: [key] });
  const { searchParams } = new URL(signer.sign('job', 60));
  const [expires, signature] = [searchParams.get('expires') ?? '', searchParams.get('signature') ?? ''];
  expect(() => signer.verify('job', expires, changeFirstCharacter(signature))).toThrow(
    'changed or cut short',
  );
  expectComparedInConstantTime(43);
});

it('the signature of a webhook is compared in constant time', () => {
  const body = Buffer.from('{}');
  const signature = computeWebhookBodySignature('secret', body);
  expect(
    verifyWebhookBodySignature(
      'secret',
      body,
      `${signature.slice(0, 7)}${changeFirstCharacter(signature.slice(7))}`,
    ),
  ).toBe(false);
  expectComparedInConstantTime(71);
});
