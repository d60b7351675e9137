import { createHmac, timingSafeEqual } from 'node:crypto';
import { assertObjectKey } from '../object-key-validation.js';
import { MAX_PARTS } from '../multipart-parts.js';
import { InvalidSignedUrlError } from '../store-errors.js';

export const OBJECTS_URL_PATH = '/objects/';

export interface SigningKey {
  /** Part of the URL: 1 to 32 letters, digits, `-`, `_`. Several keys may share an id. */
  id: string;
  /** At least 32 bytes. */
  key: Uint8Array;
}

export interface UrlSignerOptions {
  /** Base URL before `/objects/`: scheme, host, port and, behind a proxy, a path. */
  publicUrl: string;
  /** The first key signs, all verify: prepend a new key, remove the old one when its URLs have expired. */
  signingKeys: SigningKey[];
}

export interface SignedUrlGrant {
  method: 'GET' | 'PUT';
  key: string;
  /** Required Content-Type of a PUT. */
  contentType?: string;
  /** Maximum bytes of a PUT. */
  maxBytes?: number;
  uploadId?: string;
  partNumber?: number;
  /** For Content-Disposition of a GET. */
  filename?: string;
}

/** Signed query parameters, in the order of the signature. */
const SIGNED_FIELDS = ['key_id', 'expires', 'type', 'max_bytes', 'upload_id', 'part', 'filename'] as const;
type SignedFields = Partial<Record<(typeof SIGNED_FIELDS)[number], string>>;

function assertSigningKey({ id, key }: SigningKey): void {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id))
    throw new Error('A signing key id is 1 to 32 letters, digits, - or _.');
  if (key.byteLength < 32) throw new Error(`Signing key ${id} is shorter than 32 bytes.`);
}

function grantToFields(grant: SignedUrlGrant, keyId: string, expires: number): SignedFields {
  return {
    key_id: keyId,
    expires: String(expires),
    type: grant.contentType,
    max_bytes: grant.maxBytes?.toString(),
    upload_id: grant.uploadId,
    part: grant.partNumber?.toString(),
    filename: grant.filename?.toWellFormed(),
  };
}

/** JSON separates fields unambiguously and distinguishes absent from empty ones. */
function computeSignature(secret: Uint8Array, method: string, key: string, fields: SignedFields): Buffer {
  const text = JSON.stringify([
    'zephyr-object-address-1',
    method,
    key,
    ...SIGNED_FIELDS.map((name) => fields[name] ?? null),
  ]);
  return createHmac('sha256', secret).update(text).digest();
}

function parseFields(query: URLSearchParams): SignedFields & { signature: string } {
  const fields: SignedFields & { signature: string } = { signature: '' };
  for (const name of [...SIGNED_FIELDS, 'signature'] as const) {
    const values = query.getAll(name);
    // With two values, one could be verified and the other used.
    if (values.length > 1) throw new InvalidSignedUrlError('invalid');
    if (values[0] !== undefined) fields[name] = values[0];
  }
  return fields;
}

function parsePositiveInteger(text: string | undefined, max: number): number | undefined {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
}

export class ObjectUrlSigner {
  private readonly base: string;
  private readonly signing: SigningKey;
  private readonly keys = new Map<string, Uint8Array[]>();

  constructor({ publicUrl, signingKeys }: UrlSignerOptions) {
    signingKeys.forEach(assertSigningKey);
    const [first] = signingKeys;
    if (first === undefined) throw new Error('The object store needs a signing key.');
    this.signing = first;
    for (const { id, key } of signingKeys) this.keys.set(id, [...(this.keys.get(id) ?? []), key]);
    this.base = new URL(publicUrl).href.replace(/\/+$/, '') + OBJECTS_URL_PATH;
  }

  /** @param expiresIn whole seconds from now */
  sign(grant: SignedUrlGrant, expiresIn: number): string {
    const fields = grantToFields(grant, this.signing.id, Math.ceil(Date.now() / 1000 + expiresIn));
    const query = new URLSearchParams();
    for (const name of SIGNED_FIELDS) if (fields[name] !== undefined) query.set(name, fields[name]);
    query.set(
      'signature',
      computeSignature(this.signing.key, grant.method, grant.key, fields).toString('base64url'),
    );
    return `${this.base}${grant.key}?${query}`;
  }

  /**
   * @param path what follows `/objects/` in the request line, not decoded: a key has one spelling only
   * @throws InvalidSignedUrlError unless the URL was signed for this method and has not expired
   */
  verify(method: 'GET' | 'PUT', path: string, query: URLSearchParams): SignedUrlGrant {
    const { signature, ...fields } = parseFields(query);
    const known = this.keys.get(fields.key_id ?? '');
    const given = Buffer.from(signature, 'base64url');
    // An unknown id takes as long as a wrong signature.
    const matching = (known ?? [this.signing.key]).filter((key) => {
      const expected = computeSignature(key, method, path, fields);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    // base64url can encode the last byte in several ways; only the issued text is valid.
    const canonical = given.toString('base64url') === signature;
    if (!canonical || matching.length === 0 || known === undefined)
      throw new InvalidSignedUrlError('invalid');
    assertObjectKey(path);
    if (!(Number(fields.expires) > Date.now() / 1000)) throw new InvalidSignedUrlError('expired');
    return {
      method,
      key: path,
      contentType: fields.type,
      maxBytes: parsePositiveInteger(fields.max_bytes, Number.MAX_SAFE_INTEGER),
      uploadId: fields.upload_id,
      partNumber: parsePositiveInteger(fields.part, MAX_PARTS),
      filename: fields.filename,
    };
  }
}
