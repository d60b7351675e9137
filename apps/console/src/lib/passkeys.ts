/** Whether this browser has passkeys, and converts the JSON of their options and answers. */
export function arePasskeysSupported(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'
  );
}

/** The user was asked and did not confirm, or the time ran out. */
export class PasskeyCancelledError extends Error {
  override readonly name = 'PasskeyCancelledError';
}

/** The authenticator has a passkey of this user already. */
export class PasskeyExistsError extends Error {
  override readonly name = 'PasskeyExistsError';
}

/** @throws PasskeyCancelledError, PasskeyExistsError */
export function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return toJson(navigator.credentials.create({ publicKey }));
}

/** @throws PasskeyCancelledError */
export function requestPasskeySignature(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toJson(navigator.credentials.get({ publicKey }));
}

async function toJson(asked: Promise<Credential | null>): Promise<unknown> {
  try {
    return ((await asked) as PublicKeyCredential).toJSON();
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCancelledError('', { cause });
    if (name === 'InvalidStateError') throw new PasskeyExistsError('', { cause });
    throw cause;
  }
}
