const HMAC_SHA256 = { name: 'HMAC', hash: 'SHA-256' };
const BODY_SIGNATURE_HEADERS = ['x-svc-signature', 'x-svc-signature-previous'];

type Bytes = Uint8Array<ArrayBuffer>;
export type GetHeader = (name: string) => string | undefined;

export interface StandardWebhookHeaders {
  id: string;
  /** As sent: the signature covers this text. */
  timestamp: string;
  /** Two during a rotation of the secret. */
  signatures: Bytes[];
}

export function hasAnyStandardWebhookHeader(getHeader: GetHeader): boolean {
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].some(
    (name) => getHeader(name) !== undefined,
  );
}

/** @returns undefined if one of the headers is missing or malformed */
export function parseStandardWebhookHeaders(getHeader: GetHeader): StandardWebhookHeaders | undefined {
  // A full stop in the id would make it unclear where the signed id ends.
  const id = /^[^.]+$/.exec(getHeader('webhook-id') ?? '')?.[0];
  const timestamp = /^\d{1,12}$/.exec(getHeader('webhook-timestamp') ?? '')?.[0];
  const signatures = (getHeader('webhook-signature') ?? '').split(' ').flatMap((entry) => {
    const base64 = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(entry)?.[1];
    return base64 === undefined ? [] : [decodeBase64(base64)];
  });
  if (id === undefined || timestamp === undefined || signatures.length === 0) return undefined;
  return { id, timestamp, signatures };
}

/** By Standard Webhooks: the signature covers id, time and body. */
export function isStandardWebhookSignatureValid(
  secrets: readonly string[],
  { id, timestamp, signatures }: StandardWebhookHeaders,
  body: Bytes,
): Promise<boolean> {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  return isSignedByAny(secrets.map(decodeSecret), signed, signatures);
}

/** By `X-SVC-Signature`, which covers the body only. The key is the secret as text, with its prefix. */
export function isBodyOnlySignatureValid(
  secrets: readonly string[],
  getHeader: GetHeader,
  body: Bytes,
): Promise<boolean> {
  const signatures = BODY_SIGNATURE_HEADERS.flatMap((name) => {
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(getHeader(name) ?? '')?.[1];
    return hex === undefined
      ? []
      : [Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))];
  });
  const encoder = new TextEncoder();
  return isSignedByAny(
    secrets.map((secret) => encoder.encode(secret)),
    body,
    signatures,
  );
}

/** In constant time, as Web Crypto compares. */
async function isSignedByAny(keys: Bytes[], signed: Bytes, signatures: Bytes[]): Promise<boolean> {
  const checks = keys.map(async (bytes) => {
    const key = await crypto.subtle.importKey('raw', bytes, HMAC_SHA256, false, ['verify']);
    return Promise.all(signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)));
  });
  return (await Promise.all(checks)).flat().includes(true);
}

/** The key of Standard Webhooks: what follows `whsec_`, of older secrets in base64url. */
function decodeSecret(secret: string): Bytes {
  const base64 = /^whsec_([\w+/-]{2,}={0,2})$/.exec(secret)?.[1];
  try {
    if (base64 !== undefined) return decodeBase64(base64.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    // Below.
  }
  // An empty or cut key must not be used: anybody could sign with it.
  throw new TypeError('secret must be whsec_ and base64, as the service shows it.');
}

function decodeBase64(base64: string): Bytes {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
