import { isOwnAddress } from './own-address.js';
import { isPublicAddress, parseIpAddress } from './public-address.js';

/** Shorter than three attempts at a fetch take: one that begins with an outage must not spend all of them. */
const MAX_AGE_MS = 30_000;

/** Tells a network that is unreachable from a failure of the machine's own network. */
export class RecentConnections {
  /** One for public addresses and one for others, because the way to one says nothing about the way to the other. */
  private readonly lastAt = new Map<'public' | 'private', number>();

  /** A connection to this machine itself does not count. */
  note(address: string): void {
    const parsed = parseIpAddress(address);
    if (parsed && !isOwnAddress(parsed)) this.lastAt.set(getKind(address), performance.now());
  }

  reachOthersLike(address: string): boolean {
    return performance.now() - (this.lastAt.get(getKind(address)) ?? -Infinity) < MAX_AGE_MS;
  }
}

function getKind(text: string): 'public' | 'private' {
  const address = parseIpAddress(text);
  return address !== undefined && isPublicAddress(address) ? 'public' : 'private';
}
