import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../root.mjs';
import { belongsToRelease } from './build-release.mjs';

describe('a release', () => {
  it.each([
    `${ROOT}/deploy/compose/.env`,
    `${ROOT}/deploy/compose/somewhere/.env`,
    `${ROOT}/dist/.built-from`,
  ])('does not contain %s', (path) => expect(belongsToRelease(path)).toBe(false));

  it.each([`${ROOT}/deploy/compose`, `${ROOT}/deploy/compose/.env.example`, `${ROOT}/dist/env`])(
    'contains %s',
    (path) => expect(belongsToRelease(path)).toBe(true),
  );
});

it('git ignores the settings of an installation, but not their example', async () => {
  const isIgnored = (path) =>
    promisify(execFile)('git', ['check-ignore', '--no-index', '--quiet', path], { cwd: ROOT }).then(
      () => true,
      () => false,
    );
  expect(await isIgnored('deploy/compose/.env')).toBe(true);
  expect(await isIgnored('deploy/compose/.env.example')).toBe(false);
});
