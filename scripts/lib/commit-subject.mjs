const TYPES = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test'];
const SUBJECT = new RegExp(`^(${TYPES.join('|')})(\\([a-z0-9][a-z0-9/, -]*\\))?!?: \\S.*[^.\\s]$`);
const MAX_LENGTH = 100;
/** Git writes these itself; those of the second kind disappear in a rebase. */
const BY_GIT = /^(Merge|Revert) |^(fixup|squash|amend)! /;

/**
 * @param {string} subject of a commit
 * @returns {string | undefined} what is wrong with it
 */
export function findSubjectProblem(subject) {
  if (BY_GIT.test(subject)) return undefined;
  if (!SUBJECT.test(subject))
    return `write “type(scope): what it does”, with a type of ${TYPES.join(', ')} and no full stop`;
  if (subject.length > MAX_LENGTH) return `${subject.length} characters; ${MAX_LENGTH} are the limit`;
  return undefined;
}
