/**
 * The address may not be requested. The message is a sentence for the caller that completes "the address …";
 * it is the same for a name that does not resolve and for one that leads inside, so that nobody can
 * map the service's own network by asking. What differs between messages follows from the text of the address alone.
 */
export class SsrfBlockedError extends Error {
  override readonly name = 'SsrfBlockedError';
  constructor(
    message: string,
    /** The request field that the address came in, where there is one. */
    readonly field?: string,
  ) {
    super(message);
  }
}

/**
 * A name that leads to no admitted address at this moment: name servers may have been silent, or it may be elsewhere soon.
 * Which of these it was is not told, by when somebody tries again either.
 */
export class HostNotPublicError extends SsrfBlockedError {}

export const NOT_PUBLIC_MESSAGE = 'must lead to public addresses only';

/** At creation, of an address or a name that is local by its text. */
export const LOCAL_TARGET_MESSAGE = `${NOT_PUBLIC_MESSAGE}; the operator of the service can allow others with OUTBOUND_ALLOW`;

/** At creation, of any other name, whether it exists or not. */
export const UNRESOLVED_HOST_MESSAGE =
  'does not resolve, or not to public addresses only: check the spelling; the operator of the service can allow names of its own network with OUTBOUND_ALLOW';
