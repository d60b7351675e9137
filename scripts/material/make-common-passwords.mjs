/**
 * Writes libs/auth/src/people/passwords/common-password-hashes.ts of a list of passwords, one a line, the most common first:
 *
 *   node scripts/material/make-common-passwords.mjs LIST
 *
 * The service needs only to recognise them, so the module has no password, but the first bytes of a hash of each.
 */
import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../lib/root.mjs';
import { runScript, UserFacingError } from '../lib/user-facing-error.mjs';

/** ASVS 6.2.4 asks for 3,000 that the rules for passwords permit. */
const COUNT = 5_000;
const MIN_LENGTH = 10;
/** Of 5,000 hashes, one in 200 million other passwords has the first bytes of one. */
const BYTES = 5;
const TARGET = join(ROOT, 'libs', 'auth', 'src', 'people', 'common-password-hashes.ts');

await runScript(async () => {
  const [list] = process.argv.slice(2);
  if (list === undefined) throw new UserFacingError('Name the file of passwords, the most common first.');
  const passwords = new Set();
  for (const line of (await readFile(list, 'utf8')).split(/\r?\n/)) {
    if (passwords.size === COUNT) break;
    const password = line.toLowerCase().normalize('NFC');
    if ([...password].length >= MIN_LENGTH) passwords.add(password);
  }
  if (passwords.size < COUNT)
    throw new UserFacingError(
      `${list} has ${passwords.size} passwords of ${MIN_LENGTH} characters, not ${COUNT}.`,
    );
  const hashes = [...passwords].map((password) => hash('sha256', password, 'buffer').subarray(0, BYTES));
  const encoded = Buffer.concat(hashes.toSorted(Buffer.compare)).toString('base64');
  await writeFile(
    TARGET,
    `// Written by scripts/material/make-common-passwords.mjs; do not edit.

/** Bytes of a hash. */
export const COMMON_PASSWORD_HASH_BYTES = ${BYTES};

/** In ascending order, the first bytes of the SHA-256 of each password in lower case, as base64. */
export const COMMON_PASSWORD_HASHES_BASE64 =
  '${encoded}';
`,
  );
  return 0;
});
