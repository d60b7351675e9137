import { createInvalidFieldError } from '@app/errors';
import { isCommonPassword } from './common-passwords.js';
import { isEasilyGuessed } from './password-strength.js';

/** Characters. NIST SP 800-63B asks for 8; two more cost nobody much. */
const MIN_LENGTH = 10;
const MAX_LENGTH = 256;

const NAME_OF_SERVICE = 'zephyr';

/** argon2id with 19 MiB and two passes, the defaults of the library and the minimum that OWASP names. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hash(password.normalize('NFC'));
}

let unknownUserHash: Promise<string> | undefined;

/** Without a stored hash it does the same work and returns false, so that its duration does not reveal whether a user exists. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const expected = stored ?? (await (unknownUserHash ??= hashPassword('of nobody')));
  const { verify } = await import('@node-rs/argon2');
  // A longer text cannot be right, and must not cost more.
  const isRight = await verify(expected, password.slice(0, MAX_LENGTH).normalize('NFC'));
  return isRight && stored !== null && password.length <= MAX_LENGTH;
}

/** @throws ServiceError `validation_failed` that names `password` */
export async function assertStrongPassword(
  password: string,
  { email, name }: { email: string; name: string },
): Promise<void> {
  const { length } = [...password];
  if (length < MIN_LENGTH)
    throw createInvalidFieldError('password', `must have at least ${MIN_LENGTH} characters`);
  if (password.length > MAX_LENGTH)
    throw createInvalidFieldError('password', `must have at most ${MAX_LENGTH} characters`);
  const lower = password.toLowerCase();
  const [mailbox = '', domain = ''] = email.split('@');
  if (lower === email || (mailbox.length > 3 && lower.includes(mailbox)))
    throw createInvalidFieldError('password', 'must not contain your mail address');
  const known = [NAME_OF_SERVICE, ...domain.split('.'), ...`${mailbox} ${name}`.split(/[^\p{L}\p{N}]+/u)];
  if (isEasilyGuessed(password, known))
    throw createInvalidFieldError(
      'password',
      'is easily guessed: it consists of common words, your name, sequences or repetitions; add words that are not related',
    );
  if (await isCommonPassword(password))
    throw createInvalidFieldError('password', 'is one of the most common passwords; choose another one');
}
