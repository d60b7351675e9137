import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Sealed, type SealedRows } from '@app/database';
import type { KeyRow } from './key-rows.js';
import type { Repeat } from './repeat.js';

type Names = Pick<Repeat, 'accountId' | 'route' | 'key'>;

/** Answers as they are kept. What is sealed no longer compresses, so that they are deflated before. */
export class SealedAnswers {
  constructor(private readonly rows: Pick<SealedRows, 'seal' | 'open'>) {}

  seal({ accountId, route, key }: Names, text: string): Sealed {
    return this.rows.seal([accountId, route, key], deflateRawSync(text));
  }

  /** @throws SealBroken when the key that sealed it is gone, or it is not of this row */
  open({ accountId, route, key }: Names, { keyId, sealed }: Pick<KeyRow, 'keyId' | 'sealed'>): string {
    if (keyId === null || sealed === null) throw new Error('This key has no answer yet.');
    return inflateRawSync(this.rows.open([accountId, route, key], { keyId, sealed })).toString();
  }
}
