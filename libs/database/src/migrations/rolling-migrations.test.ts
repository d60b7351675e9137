import { expect, it } from 'vitest';
import { MIGRATIONS } from './index.js';
import { isRollingMigration, CLASSIFIED_MIGRATION_NAMES } from './rolling-migrations.js';

it('every migration is classified as rolling or not', () => {
  expect(CLASSIFIED_MIGRATION_NAMES).toEqual(MIGRATIONS.map(({ name }) => name));
});

it('a migration that is not classified requires stopped programs', () => {
  expect(isRollingMigration('Unheard1999999999999')).toBe(false);
});
