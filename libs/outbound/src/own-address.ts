import os from 'node:os';
import { type IpAddress, isPublicAddress, parseIpAddress } from './public-address.js';

const MAX_AGE_MS = 10_000;
let known = new Set<string>();
let readAt = -Infinity;

/** Whether this machine has the address: a service there may listen for this network alone, although it is public. */
export function isOwnAddress(address: IpAddress): boolean {
  if (performance.now() - readAt > MAX_AGE_MS) {
    known = readOwnAddresses();
    readAt = performance.now();
  }
  return known.has(address.toNormalizedString());
}

/** Whether this machine can be expected to reach others by IPv6. */
export function hasMachinePublicIpv6Address(): boolean {
  return listOwnAddresses().some((address) => address.kind() === 'ipv6' && isPublicAddress(address));
}

/** Whether this machine can be expected to reach others by IPv4. */
export function hasMachineRoutableIpv4Address(): boolean {
  return listOwnAddresses().some(
    (address) => address.kind() === 'ipv4' && !['loopback', 'linkLocal'].includes(address.range()),
  );
}

function listOwnAddresses(): IpAddress[] {
  return [...readOwnAddresses()].flatMap((text) => parseIpAddress(text) ?? []);
}

function readOwnAddresses(): Set<string> {
  const interfaces = Object.values(os.networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(interfaces.flatMap((each) => parseIpAddress(each.address)?.toNormalizedString() ?? []));
}
