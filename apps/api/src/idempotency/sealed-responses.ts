import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type EncryptedValue, type EncryptedRows } from '@app/database';
import type { KeyRow } from './idempotency-key.repository.js';
import type { IdempotentRequest } from './idempotent-request.js';

type KeyIdentity = Pick<IdempotentRequest, 'accountId' | 'route' | 'key'>;

/** Compresses and encrypts stored responses. */
export class SealedResponses {
  constructor(private readonly rows: Pick<EncryptedRows, 'encrypt' | 'decrypt'>) {}

  seal({ accountId, route, key }: KeyIdentity, text: string): EncryptedValue {
    return this.rows.encrypt([accountId, route, key], deflateRawSync(text));
  }

  /** @throws DecryptionError when the key that sealed it is gone, or it is not of this row */
  open({ accountId, route, key }: KeyIdentity, { keyId, sealed }: Pick<KeyRow, 'keyId' | 'sealed'>): string {
    if (keyId === null || sealed === null) throw new Error('This key has no answer yet.');
    return inflateRawSync(this.rows.decrypt([accountId, route, key], { keyId, sealed })).toString();
  }
}
