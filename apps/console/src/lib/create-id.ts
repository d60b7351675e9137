/** 128 random bits as text. `crypto.randomUUID` exists with https only. */
export function createRandomHexId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
