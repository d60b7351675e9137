import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type RowEncryptor, type EncryptedValue } from '@app/database';
import type { StoredIdempotentResponse } from './idempotency-key.repository.js';
import type { ScopedIdempotencyKey } from './scoped-idempotency-key.js';

type KeyIdentity = Pick<ScopedIdempotencyKey, 'accountId' | 'route' | 'key'>;

/** Compresses and encrypts stored responses. */
export class ResponseCipher {
  constructor(private readonly rows: Pick<RowEncryptor, 'encrypt' | 'decrypt'>) {}

  encrypt({ accountId, route, key }: KeyIdentity, text: string): EncryptedValue {
    return this.rows.encrypt([accountId, route, key], deflateRawSync(text));
  }

  /** @throws DecryptionError when no configured key decrypts it, or it belongs to another row */
  decrypt(
    { accountId, route, key }: KeyIdentity,
    { keyId, sealed }: Pick<StoredIdempotentResponse, 'keyId' | 'sealed'>,
  ): string {
    if (keyId === null || sealed === null) throw new Error('This key has no response yet.');
    return inflateRawSync(this.rows.decrypt([accountId, route, key], { keyId, sealed })).toString();
  }
}
