import { lookup } from 'node:dns/promises';
import { ServiceError } from '@app/errors';
import {
  SsrfBlockedError,
  LOCAL_TARGET_MESSAGE,
  HostUnresolvedOrNotPublicError,
  NameServersSilentError,
  NOT_PUBLIC_MESSAGE,
  UnansweredDnsNameError,
  UNRESOLVED_OR_PRIVATE_HOST_MESSAGE,
} from './ssrf-errors.js';
import { isOwnAddress } from './own-address.js';
import { HostMatcher } from './host-matcher.js';
import type { HostnameClass } from './lookup-threads.js';
import { isPublicAddress, listEmbeddedIpv4Addresses, parseIpAddress } from './public-address.js';
import {
  createChainedResolver,
  createDnsResolver,
  createHedgedResolver,
  createSystemResolver,
  type Resolver,
} from './resolver.js';
import { isIpAddressOrLocalHostname, parseHttpUrl, parseTargetHost } from './target-host.js';

const RESOLVE_TIMEOUT_MS = 5_000;
/** The system asks its second name server after five seconds, which is too late. The lookup and a probe follow within ten seconds. */
const SYSTEM_PATIENCE_MS = 2_000;
const RETRY_AFTER_SECONDS = 10;

export interface OutboundGuardOptions {
  /** Addresses, CIDRs and host names that are permitted although they are not public. */
  allow: readonly string[];
  /** Addresses, CIDRs and host names that are refused, whatever else permits them. */
  deny?: readonly string[];
  /** Called with the host of an address that was refused at the creation of a job or an endpoint. */
  onRefused?: (host: string) => void;
  /** Called with a host that could not be looked up then, because no name server responded. */
  onNameServersSilent?: (host: string) => void;
  /** Replaces the name servers and the resolver of the system. */
  resolver?: Resolver;
}

/** Prevents requests on behalf of callers to private targets (SSRF). */
export class OutboundGuard {
  private readonly allow: HostMatcher;
  private readonly deny: HostMatcher;
  private readonly onRefused: (host: string) => void;
  private readonly onNameServersSilent: (host: string) => void;
  private readonly resolvers: { forOtherNames: Resolver; forAllowedNames: Resolver };

  constructor({ allow, deny = [], resolver, onRefused, onNameServersSilent }: OutboundGuardOptions) {
    this.allow = new HostMatcher(allow);
    this.deny = new HostMatcher(deny);
    this.onRefused = onRefused ?? (() => undefined);
    this.onNameServersSilent = onNameServersSilent ?? (() => undefined);
    this.resolvers = resolver
      ? { forOtherNames: resolver, forAllowedNames: resolver }
      : createResolvers(this.allow.isEmpty);
  }

  /**
   * @param field name of the request field for the error
   * @throws SsrfBlockedError unless the URL is http(s), has no credentials, and resolves to permitted
   * addresses only; ServiceError `service_unavailable` while no name server responds, which says nothing about the URL
   */
  async assertPublic(url: string, field?: string): Promise<void> {
    const { hostname } = withFieldName(field, () => parseHttpUrl(url));
    try {
      await this.resolveAllowedAddresses(hostname);
    } catch (error) {
      if (error instanceof NameServersSilentError) {
        this.onNameServersSilent(hostname);
        throw createLookupUnavailableError(field);
      }
      if (!(error instanceof SsrfBlockedError)) throw error;
      this.onRefused(hostname);
      throw new SsrfBlockedError(
        isIpAddressOrLocalHostname(hostname) ? LOCAL_TARGET_MESSAGE : UNRESOLVED_OR_PRIVATE_HOST_MESSAGE,
        field,
      );
    }
  }

  /**
   * @param hostname of a parsed URL
   * @throws SsrfBlockedError for a literal address that is not permitted; HostUnresolvedOrNotPublicError unless the name
   * resolves to permitted addresses only
   */
  async resolveAllowedAddresses(hostname: string): Promise<string[]> {
    const target = parseTargetHost(hostname);
    if (target.kind === 'address') {
      const address = target.address.toString();
      if (!this.isAllowed(address)) throw new SsrfBlockedError(NOT_PUBLIC_MESSAGE);
      return [address];
    }
    if (this.deny.hasHostName(target.name)) throw new SsrfBlockedError(NOT_PUBLIC_MESSAGE);
    const isAllowedName = this.allow.hasHostName(target.name);
    const resolve = isAllowedName ? this.resolvers.forAllowedNames : this.resolvers.forOtherNames;
    const found = await resolve(target.name).catch((error: unknown) => {
      if (error instanceof UnansweredDnsNameError) throw error;
      throw new NameServersSilentError(NOT_PUBLIC_MESSAGE);
    });
    const areAllowed = found.every((text) => (isAllowedName ? !this.isDenied(text) : this.isAllowed(text)));
    if (found.length === 0 || !areAllowed) throw new HostUnresolvedOrNotPublicError(NOT_PUBLIC_MESSAGE);
    return found;
  }

  private isAllowed(text: string): boolean {
    const address = parseIpAddress(text);
    if (address === undefined || this.isDenied(text)) return false;
    return [address, ...listEmbeddedIpv4Addresses(address)].every(
      (each) => this.allow.hasAddress(each) || (isPublicAddress(each) && !isOwnAddress(each)),
    );
  }

  private isDenied(text: string): boolean {
    const address = parseIpAddress(text);
    return (
      address === undefined ||
      [address, ...listEmbeddedIpv4Addresses(address)].some((each) => this.deny.hasAddress(each))
    );
  }
}

function createLookupUnavailableError(field = 'the URL'): ServiceError {
  return new ServiceError('service_unavailable', {
    detail: `The host of ${field} cannot be looked up now.`,
    retryAfter: RETRY_AFTER_SECONDS,
  });
}

function withFieldName<T>(field: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof SsrfBlockedError ? new SsrfBlockedError(error.message, field) : error;
  }
}

/**
 * Public names are in the public DNS, so the resolver of the system is only used if private targets are
 * permitted.
 */
function createResolvers(publicOnly: boolean) {
  const dns = createDnsResolver(RESOLVE_TIMEOUT_MS);
  const createSystem = (kind: HostnameClass) => createSystemResolver(RESOLVE_TIMEOUT_MS, lookup, kind);
  return {
    forOtherNames: publicOnly ? dns : createChainedResolver(dns, createSystem('other')),
    forAllowedNames: createHedgedResolver(createSystem('allowed'), dns, SYSTEM_PATIENCE_MS),
  };
}
