import { isIPv6 } from 'node:net';

/**
 * @returns `count` of the addresses at most, in their order, of both families if there are both: this machine may have a way to one
 * of them only
 */
export function selectAddressesOfBothFamilies(addresses: readonly string[], count: number): string[] {
  const six = addresses.filter((address) => isIPv6(address));
  const four = addresses.filter((address) => !isIPv6(address));
  const sixCount = Math.min(six.length, Math.max(Math.floor(count / 2), count - four.length));
  const selected = new Set([...four.slice(0, count - sixCount), ...six.slice(0, sixCount)]);
  return addresses.filter((address) => selected.delete(address));
}
