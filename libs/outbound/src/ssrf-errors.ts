/**
 * The message completes "the address …". It is the same for an unknown name and for one with a private
 * address, so that callers cannot explore the network of the service.
 */
export class SsrfBlockedError extends Error {
  override readonly name = 'SsrfBlockedError';
  constructor(
    message: string,
    /** Field of the request. */
    readonly field?: string,
  ) {
    super(message);
  }
}

/** The name servers may have failed, or the record may change, so a retry may succeed. */
export class HostUnresolvedOrNotPublicError extends SsrfBlockedError {}

/** No name server responds, or all say that they fail, which says nothing about the name. */
export class NameServersSilentError extends HostUnresolvedOrNotPublicError {}

/** The name servers respond, but not about this name: those that are responsible for it may have failed. */
export class UnansweredDnsNameError extends HostUnresolvedOrNotPublicError {
  constructor(
    message: string,
    /** Of the failure to answer. */
    readonly code?: string,
  ) {
    super(message);
  }
}

export const NOT_PUBLIC_MESSAGE = 'must lead to public addresses only';

/** For an address or name that is local by its text, at job creation. */
export const LOCAL_TARGET_MESSAGE = `${NOT_PUBLIC_MESSAGE}; this address is not reachable from the service, ask its operator`;

/** For any other name, whether it exists or not, at job creation. */
export const UNRESOLVED_OR_PRIVATE_HOST_MESSAGE =
  'does not resolve, or not to public addresses only: check the spelling; if it is right, this address is not reachable from the service, ask its operator';
