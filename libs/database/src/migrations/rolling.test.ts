import { expect, it } from 'vitest';
import { MIGRATIONS } from './index.js';
import { isRolling, JUDGED_MIGRATIONS } from './rolling.js';

it('every migration is judged: can programs of the version before it stay while it runs?', () => {
  expect(JUDGED_MIGRATIONS).toEqual(MIGRATIONS.map(({ name }) => name));
});

it('a migration that is not judged asks for a stop', () => {
  expect(isRolling('Unheard1999999999999')).toBe(false);
});
