import { createInvalidFieldError } from '@app/errors';

const MAX_LENGTH = 254;
/** Without a quoted local part, and without what would begin another address in the header of a mail. */
const LOCAL_PART = String.raw`[^\s@"<>()\[\],:;\\\p{C}]{1,64}`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}_-]+`;
const PATTERN = new RegExp(`^${LOCAL_PART}@(?:localhost|${LABEL}(?:\\.${LABEL})+)$`, 'u');

/** As addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * The rule for every address that is stored, of users and of invitations.
 * @returns the address as it is stored
 * @throws ServiceError `validation_failed` (names `email`)
 */
export function parseMailAddress(text: string): string {
  const email = normalizeEmail(text);
  if (email.length > MAX_LENGTH || !PATTERN.test(email))
    throw createInvalidFieldError('email', 'must be a mail address');
  return email;
}
