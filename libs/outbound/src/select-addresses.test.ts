import { expect, it } from 'vitest';
import { selectAddressesOfBothFamilies } from './select-addresses-of-both-families.js';

it.each([
  [
    ['4.0.0.1', '4.0.0.2', '4.0.0.3', '4.0.0.4', '4.0.0.5', '6::1'],
    ['4.0.0.1', '4.0.0.2', '4.0.0.3', '6::1'],
  ],
  [
    ['6::1', '6::2', '6::3', '6::4', '4.0.0.1', '4.0.0.2', '4.0.0.3'],
    ['6::1', '6::2', '4.0.0.1', '4.0.0.2'],
  ],
  [
    ['6::1', '6::2', '6::3', '6::4', '6::5', '4.0.0.1'],
    ['6::1', '6::2', '6::3', '4.0.0.1'],
  ],
  [
    ['6::1', '6::2', '6::3', '6::4', '6::5'],
    ['6::1', '6::2', '6::3', '6::4'],
  ],
  [
    ['4.0.0.1', '4.0.0.1', '6::1'],
    ['4.0.0.1', '6::1'],
  ],
  [[], []],
])('of %j, at most four addresses of both families are tried', (addresses, expected) => {
  expect(selectAddressesOfBothFamilies(addresses, 4)).toEqual(expected);
});
