import { expect, it } from 'vitest';
import { MIGRATIONS } from './index.js';
import { isRollingMigration, CLASSIFIED_MIGRATIONS } from './rolling-migrations.js';

it('every migration is judged: can programs of the version before it stay while it runs?', () => {
  expect(CLASSIFIED_MIGRATIONS).toEqual(MIGRATIONS.map(({ name }) => name));
});

it('a migration that is not judged asks for a stop', () => {
  expect(isRollingMigration('Unheard1999999999999')).toBe(false);
});
