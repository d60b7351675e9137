import {
  AddressRefused,
  LOCAL_TARGET,
  NameRefused,
  NOT_PUBLIC,
  UNRESOLVED_HOST_MESSAGE,
} from './address-refused.js';
import { AllowList } from './allow-list.js';
import { isPublic, parseAddress } from './public-address.js';
import { dnsResolver, firstOf, type Resolver, systemResolver } from './resolver.js';
import { isLocalByText, parseHttpUrl, targetOf } from './target.js';

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
      : chooseResolvers(resolveTimeoutMs, this.allow.isEmpty);
  }

  /**
   * Judges an address that a caller gave.
   * @param field goes into the error
   * @throws AddressRefused unless it is http(s), without credentials, and leads to admitted addresses only
   */
  async assertPublic(url: string, field?: string): Promise<void> {
    const { hostname } = withField(field, () => parseHttpUrl(url));
    try {
      await this.addressesOf(hostname);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw new AddressRefused(isLocalByText(hostname) ? LOCAL_TARGET : UNRESOLVED_HOST_MESSAGE, field);
    }
  }

  /**
   * The addresses that a connection to the host may use: every one the name has, all of them admitted.
   * @param hostname as a parsed URL has it
   * @throws AddressRefused when it is an address that is not admitted; NameRefused when one of a name's is not, or it has
   * none at this moment
   */
  async addressesOf(hostname: string): Promise<string[]> {
    const target = targetOf(hostname);
    if (target.kind === 'address') {
      const address = target.address.toString();
      if (!this.admits(address)) throw new AddressRefused(NOT_PUBLIC);
      return [address];
    }
    const trusted = this.allow.admitsName(target.name);
    const resolve = trusted ? this.resolvers.ofTrusted : this.resolvers.ofStrangers;
    const found = await resolve(target.name).catch(() => []);
    const admitted = trusted || found.every((text) => this.admits(text));
    if (found.length === 0 || !admitted) throw new NameRefused(NOT_PUBLIC);
    return found;
  }

  private admits(text: string): boolean {
    const address = parseAddress(text);
    return address !== undefined && (this.allow.admitsAddress(address) || isPublic(address));
  }
}

/** @throws AddressRefused with the field that the address came in */
function withField<T>(field: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof AddressRefused ? new AddressRefused(error.message, field) : error;
  }
}

/** The system is asked only where private targets are admitted at all: public names are in the public DNS. */
function chooseResolvers(timeoutMs: number, publicOnly: boolean) {
  const [dns, system] = [dnsResolver(timeoutMs), systemResolver(timeoutMs)];
  return { ofStrangers: publicOnly ? dns : firstOf(dns, system), ofTrusted: firstOf(system, dns) };
}
