import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId?: string;
}

interface StoredPasskey {
  id: Buffer;
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** An authenticator (ES256, attestation `none`) together with its browser. */
export class SoftwareAuthenticator {
  /** Number of signatures. */
  counter = 0;
  verifiesUser = true;
  private passkey: StoredPasskey | undefined;

  /** @param origin of the page that uses it */
  constructor(public origin: string) {}

  /** Like `navigator.credentials.create`, as JSON. */
  create({ challenge, rp, user }: CreationOptions) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(32);
    const rpId = rp.id ?? new URL(this.origin).hostname;
    this.passkey = { id, rpId, userHandle: user.id, privateKey };
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // Type EC2, algorithm ES256, curve P-256.
    const key = encodeMap([
      [encodeInteger(1), encodeInteger(2)],
      [encodeInteger(3), encodeInteger(-7)],
      [encodeInteger(-1), encodeInteger(1)],
      [encodeInteger(-2), encodeBytes(Buffer.from(x, 'base64url'))],
      [encodeInteger(-3), encodeBytes(Buffer.from(y, 'base64url'))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const data = Buffer.concat([this.authenticatorData(rpId, HAS_KEY), Buffer.alloc(16), length, id, key]);
    const attestation = encodeMap([
      [encodeText('fmt'), encodeText('none')],
      [encodeText('attStmt'), encodeMap([])],
      [encodeText('authData'), encodeBytes(data)],
    ]);
    const clientData = this.clientData('webauthn.create', challenge);
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Like `navigator.credentials.get`, as JSON. */
  get({ challenge }: RequestOptions) {
    const { rpId, userHandle, privateKey } = this.requirePasskey();
    this.counter += 1;
    const data = this.authenticatorData(rpId, 0);
    const clientData = this.clientData('webauthn.get', challenge);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey);
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle,
    });
  }

  private credential<T>(response: T) {
    const id = this.requirePasskey().id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private requirePasskey(): StoredPasskey {
    if (!this.passkey) throw new Error('The authenticator has no passkey.');
    return this.passkey;
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  private authenticatorData(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const verified = this.verifiesUser ? USER_VERIFIED : 0;
    return Buffer.concat([sha256(rpId), Buffer.from([flags | USER_PRESENT | verified]), counter]);
  }
}

/** The part of CBOR (RFC 8949) that an attestation needs. */
function encodeHead(type: number, value: number): Buffer {
  const first = type << 5;
  if (value < 24) return Buffer.from([first | value]);
  if (value < 256) return Buffer.from([first | 24, value]);
  return Buffer.from([first | 25, value >> 8, value & 255]);
}

function encodeInteger(value: number): Buffer {
  return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
}

function encodeBytes(bytes: Buffer): Buffer {
  return Buffer.concat([encodeHead(2, bytes.length), bytes]);
}

function encodeText(text: string): Buffer {
  return Buffer.concat([encodeHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
}

function encodeMap(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([encodeHead(5, entries.length), ...entries.flat()]);
}
