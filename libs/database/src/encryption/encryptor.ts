import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export interface EncryptedValue {
  keyId: string;
  /** Nonce (12 bytes), tag (16 bytes), ciphertext. */
  sealed: Buffer;
}

/** The key is missing, or the value was changed or belongs to another owner. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. Each value is bound to its owner, so it cannot be decrypted in the row of another. */
export class Encryptor {
  private readonly keys: Map<string, Buffer>;
  readonly currentId: string;

  /** @param key 32 bytes; encrypts and decrypts @param retired keys that only decrypt */
  constructor(key: Buffer, retired: readonly Buffer[] = []) {
    for (const each of [key, ...retired])
      if (each.length !== 32) throw new RangeError('An encryption key must have 32 bytes.');
    this.keys = new Map([...retired, key].map((each) => [deriveKeyId(each), each]));
    this.currentId = deriveKeyId(key);
  }

  encrypt(secret: Buffer, owner: string): EncryptedValue {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key(this.currentId), nonce).setAAD(ownerAad(owner));
    const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
    return { keyId: this.currentId, sealed: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]) };
  }

  /** @throws DecryptionError */
  decrypt({ keyId, sealed }: EncryptedValue, owner: string): Buffer {
    const key = this.key(keyId);
    try {
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(ownerAad(owner)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    } catch (error) {
      throw new DecryptionError('An encrypted value was changed or belongs to another owner.', {
        cause: error,
      });
    }
  }

  get knownIds(): string[] {
    return [...this.keys.keys()];
  }

  /** Whether values under this key can be decrypted. */
  hasKey(keyId: string): boolean {
    return this.keys.has(keyId);
  }

  /** Whether the key is retired, so that the value should be re-encrypted. */
  isOutdated({ keyId }: EncryptedValue): boolean {
    return keyId !== this.currentId;
  }

  private key(id: string): Buffer {
    const key = this.keys.get(id);
    if (!key) throw new DecryptionError(`There is no key ${id} to decrypt the value.`);
    return key;
  }
}

/** Additional authenticated data. */
function ownerAad(owner: string): Buffer {
  return Buffer.from(owner);
}

function deriveKeyId(key: Buffer): string {
  return createHash('sha256').update('key id\n').update(key).digest('hex').slice(0, 12);
}
