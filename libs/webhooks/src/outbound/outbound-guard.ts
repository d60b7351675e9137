import {
  SsrfBlockedError,
  LOCAL_TARGET_MESSAGE,
  HostNotPublicError,
  NOT_PUBLIC_MESSAGE,
  UNRESOLVED_HOST_MESSAGE,
} from './ssrf-blocked-error.js';
import { AllowList } from './allow-list.js';
import { isPublicAddress, parseIpAddress } from './public-address.js';
import {
  createDnsResolver,
  createFallbackResolver,
  type Resolver,
  createSystemResolver,
} from './resolver.js';
import { isLocalHostname, parseHttpUrl, parseRequestTarget } from './request-target.js';

export interface OutboundGuardOptions {
  /** Addresses, CIDRs and host names that are admitted though they are not public. */
  allow: readonly string[];
  /** Milliseconds a name may take to resolve; default 5,000. */
  resolveTimeoutMs?: number;
  /** Instead of the name servers and the system. */
  resolver?: Resolver;
}

/** Decides where requests on behalf of callers may go. */
export class OutboundGuard {
  private readonly allow: AllowList;
  private readonly resolvers: { ofStrangers: Resolver; ofTrusted: Resolver };

  constructor({ allow, resolveTimeoutMs = 5_000, resolver }: OutboundGuardOptions) {
    this.allow = new AllowList(allow);
    this.resolvers = resolver
      ? { ofStrangers: resolver, ofTrusted: resolver }
      : createResolvers(resolveTimeoutMs, this.allow.isEmpty);
  }

  /**
   * Judges an address that a caller gave.
   * @param field goes into the error
   * @throws SsrfBlockedError unless it is http(s), without credentials, and leads to admitted addresses only
   */
  async assertPublic(url: string, field?: string): Promise<void> {
    const { hostname } = withFieldName(field, () => parseHttpUrl(url));
    try {
      await this.resolveAllowedAddresses(hostname);
    } catch (error) {
      if (!(error instanceof SsrfBlockedError)) throw error;
      throw new SsrfBlockedError(
        isLocalHostname(hostname) ? LOCAL_TARGET_MESSAGE : UNRESOLVED_HOST_MESSAGE,
        field,
      );
    }
  }

  /**
   * The addresses that a connection to the host may use: every one the name has, all of them admitted.
   * @param hostname as a parsed URL has it
   * @throws SsrfBlockedError when it is an address that is not admitted; HostNotPublicError when one of a name's is not, or it has
   * none at this moment
   */
  async resolveAllowedAddresses(hostname: string): Promise<string[]> {
    const target = parseRequestTarget(hostname);
    if (target.kind === 'address') {
      const address = target.address.toString();
      if (!this.isAllowed(address)) throw new SsrfBlockedError(NOT_PUBLIC_MESSAGE);
      return [address];
    }
    const trusted = this.allow.allowsHostName(target.name);
    const resolve = trusted ? this.resolvers.ofTrusted : this.resolvers.ofStrangers;
    const found = await resolve(target.name).catch(() => []);
    const admitted = trusted || found.every((text) => this.isAllowed(text));
    if (found.length === 0 || !admitted) throw new HostNotPublicError(NOT_PUBLIC_MESSAGE);
    return found;
  }

  private isAllowed(text: string): boolean {
    const address = parseIpAddress(text);
    return address !== undefined && (this.allow.allowsAddress(address) || isPublicAddress(address));
  }
}

/** @throws SsrfBlockedError with the field that the address came in */
function withFieldName<T>(field: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof SsrfBlockedError ? new SsrfBlockedError(error.message, field) : error;
  }
}

/** The system is asked only where private targets are admitted at all: public names are in the public DNS. */
function createResolvers(timeoutMs: number, publicOnly: boolean) {
  const [dns, system] = [createDnsResolver(timeoutMs), createSystemResolver(timeoutMs)];
  return {
    ofStrangers: publicOnly ? dns : createFallbackResolver(dns, system),
    ofTrusted: createFallbackResolver(system, dns),
  };
}
