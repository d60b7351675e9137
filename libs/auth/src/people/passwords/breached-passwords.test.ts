import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BreachedPasswords, assertValidBreachedPasswordsFile } from './breached-passwords.js';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-breached-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(text: string): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.txt`);
  await writeFile(path, text);
  return path;
}

const PASSWORDS = Array.from({ length: 120 }, (_, index) => `password of user ${index}`);
const HASHES = PASSWORDS.map(sha1).toSorted();
/** The counts of common passwords have many digits, so that lines differ in length. */
const WITH_COUNTS = HASHES.map((hash, index) => `${hash}:${10 ** (index % 9)}`);

const FORMATS: [string, string][] = [
  ['with counts', `${WITH_COUNTS.join('\n')}\n`],
  ['with CRLF, as the downloader writes it on Windows', `${WITH_COUNTS.join('\r\n')}\r\n`],
  ['with CRLF and without counts', HASHES.join('\r\n')],
  ['without counts', `${HASHES.join('\n')}\n`],
  ['without an end of the last line', WITH_COUNTS.join('\n')],
  ['in lower case', `${WITH_COUNTS.join('\n').toLowerCase()}\n`],
  ['with empty lines at the end', `${WITH_COUNTS.join('\n')}\n\n\n`],
];

const isFound = async (passwords: BreachedPasswords, password: string) => {
  const refusal = await passwords.assertNotBreached(password).catch((error: unknown) => error);
  if (refusal === undefined) return false;
  expect(refusal).toMatchObject({ code: 'validation_failed', errors: [{ field: 'password' }] });
  return true;
};

describe.each(FORMATS)('a file of hashes %s', (_, text) => {
  it('is accepted, and every one of its passwords is refused, and no other', async () => {
    const path = await write(text);
    await expect(assertValidBreachedPasswordsFile(path)).resolves.toBeUndefined();
    const passwords = new BreachedPasswords(path);
    for (const password of PASSWORDS) expect(await isFound(passwords, password), password).toBe(true);
    for (const password of PASSWORDS) expect(await isFound(passwords, `${password}!`)).toBe(false);
  });
});

describe.each([1, 2, 3])('a file of %i lines', (count) => {
  it.each(['\n', '\r\n'])(
    'finds each, and what would be before, between and after them is not found',
    async (end) => {
      const known = PASSWORDS.slice(0, count);
      const passwords = new BreachedPasswords(
        await write(`${known.map(sha1).toSorted().join(`:1${end}`)}:1${end}`),
      );
      for (const password of PASSWORDS)
        expect(await isFound(passwords, password), password).toBe(known.includes(password));
    },
  );
});

it('a password is found in the form that it was entered in, and in the form that is stored', async () => {
  const [composed, decomposed] = ['Z\u00fcrich im Nebel', 'Zu\u0308rich im Nebel'];
  const path = await write(`${sha1(composed)}:3\n`);
  expect(await isFound(new BreachedPasswords(path), decomposed)).toBe(true);
  const raw = await write(`${sha1(decomposed)}:3\n`);
  expect(await isFound(new BreachedPasswords(raw), decomposed)).toBe(true);
});

it('without a file nothing is refused', async () => {
  await expect(new BreachedPasswords(null).assertNotBreached('password1')).resolves.toBeUndefined();
});

it('if the file is gone, no password is accepted', async () => {
  const gone = new BreachedPasswords(join(folder, 'gone.txt'));
  await expect(gone.assertNotBreached('any')).rejects.toMatchObject({ code: 'service_unavailable' });
});

describe('a file is refused at start', () => {
  const swapped = WITH_COUNTS.with(80, WITH_COUNTS[81] ?? '').with(81, WITH_COUNTS[80] ?? '');
  const sortedByCount = [...WITH_COUNTS].toSorted(
    (a, b) => Number(b.split(':')[1]) - Number(a.split(':')[1]),
  );
  it.each([
    [
      'of which two lines are exchanged',
      swapped.join('\n'),
      /is not sorted by hash: the line at byte \d+ is out/,
    ],
    ['with the last line first', [...HASHES.slice(-1), ...HASHES.slice(0, -1)].join('\n'), /is not sorted/],
    ['that is sorted by the count', sortedByCount.join('\n'), /is not sorted by hash/],
    [
      'of another kind of hash',
      `${'A'.repeat(32)}:3\n`,
      /no line of 40 hexadecimal digits \(SHA-1\).* at byte 0$/,
    ],
    ['of passwords in clear text', 'password1\nqwerty\n', /no line of 40 hexadecimal/],
    ['of one very long line', 'A'.repeat(100_000), /no line of 40 hexadecimal/],
    ['that is empty', '', /is empty/],
    ['of empty lines', '\n\r\n', /is empty/],
  ])('%s', async (_, text, problem) => {
    const path = await write(text);
    const message = await assertValidBreachedPasswordsFile(path).catch(
      (error: unknown) => (error as Error).message,
    );
    expect(message).toMatch(problem);
    expect(message).toMatch(/^BREACHED_PASSWORDS_FILE: [^\n]+$/);
    expect(message).toContain(path);
  });

  it.each(['missing.txt', '.'])('that cannot be read: %s', async (name) => {
    const check = assertValidBreachedPasswordsFile(join(folder, name));
    await expect(check).rejects.toThrow(/^BREACHED_PASSWORDS_FILE: .* cannot be read: /);
  });
});

it('a large file that is sorted by the count is refused, and a sorted one is searched with few reads', async () => {
  const hashes = Array.from({ length: 60_000 }, (_, index) => sha1(`large ${index}`));
  const unsorted = await write(`${hashes.join(':1\n')}:1\n`);
  await expect(assertValidBreachedPasswordsFile(unsorted)).rejects.toThrow('is not sorted');
  const sorted = await write(`${hashes.toSorted().join(':1\r\n')}:1\r\n`);
  await expect(assertValidBreachedPasswordsFile(sorted)).resolves.toBeUndefined();
  const passwords = new BreachedPasswords(sorted);
  for (const index of [0, 1, 29_999, 59_999]) expect(await isFound(passwords, `large ${index}`)).toBe(true);
  expect(await isFound(passwords, 'large 60000')).toBe(false);
});
