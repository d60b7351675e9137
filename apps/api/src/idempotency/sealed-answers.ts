import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type EncryptedValue, type EncryptedRows } from '@app/database';
import type { KeyRow } from './key-rows.js';
import type { Repeat } from './repeat.js';

type Names = Pick<Repeat, 'accountId' | 'route' | 'key'>;

/** Answers as they are kept. What is sealed no longer compresses, so that they are deflated before. */
export class SealedAnswers {
  constructor(private readonly rows: Pick<EncryptedRows, 'encrypt' | 'decrypt'>) {}

  seal({ accountId, route, key }: Names, text: string): EncryptedValue {
    return this.rows.encrypt([accountId, route, key], deflateRawSync(text));
  }

  /** @throws DecryptionError when the key that sealed it is gone, or it is not of this row */
  open({ accountId, route, key }: Names, { keyId, sealed }: Pick<KeyRow, 'keyId' | 'sealed'>): string {
    if (keyId === null || sealed === null) throw new Error('This key has no answer yet.');
    return inflateRawSync(this.rows.decrypt([accountId, route, key], { keyId, sealed })).toString();
  }
}
