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

export const NOT_PUBLIC = 'must lead to public addresses only';
