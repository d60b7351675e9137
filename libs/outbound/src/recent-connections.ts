import { isOwnAddress } from './own-address.js';
import { isPublicAddress, parseIpAddress } from './public-address.js';

/** Shorter than three attempts at a fetch take: one that begins with an outage must not spend all of them. */
const MAX_AGE_MS = 30_000;

/** A machine without a way to addresses of a kind never reaches one. In an outage before the first connection it may wait for its end. */
const MAX_WAIT_FOR_FIRST_MS = 30 * 60_000;

/** Tells a network that is unreachable from a failure of the machine's own network. */
export class RecentConnections {
  private readonly createdAt = performance.now();
  /** By kind of address, because the way to one kind says nothing about the way to another. */
  private readonly lastAt = new Map<AddressKind, number>();
  private readonly firstUnreachableAt = new Map<AddressKind, number>();

  /** A connection to this machine itself does not count. */
  note(address: string): void {
    const parsed = parseIpAddress(address);
    if (parsed && !isOwnAddress(parsed)) this.lastAt.set(getKind(address), performance.now());
  }

  noteUnreachable(address: string): void {
    const kind = getKind(address);
    if (!this.firstUnreachableAt.has(kind)) this.firstUnreachableAt.set(kind, performance.now());
  }

  hasRecentlyReachedKindOf(address: string): boolean {
    return performance.now() - (this.lastAt.get(getKind(address)) ?? -Infinity) < MAX_AGE_MS;
  }

  hasEverReachedKindOf(address: string): boolean {
    return this.lastAt.has(getKind(address));
  }

  mayStillReachFirstOfKindOf(address: string): boolean {
    const since = this.firstUnreachableAt.get(getKind(address)) ?? this.createdAt;
    return !this.hasEverReachedKindOf(address) && performance.now() - since < MAX_WAIT_FOR_FIRST_MS;
  }
}

type AddressKind = `${'public' | 'private'} ${'ipv4' | 'ipv6'}`;

function getKind(text: string): AddressKind {
  const address = parseIpAddress(text);
  const isPublic = address !== undefined && isPublicAddress(address);
  return `${isPublic ? 'public' : 'private'} ${address?.kind() ?? 'ipv4'}`;
}
