/**
 * The address may not be requested. The message is a sentence for the caller that completes "the address …";
 * it is the same for a name that does not resolve and for one that leads inside, so that nobody can
 * map the service's own network by asking.
 */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
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
export class NameRefused extends AddressRefused {}

export const NOT_PUBLIC = 'must lead to public addresses only';
