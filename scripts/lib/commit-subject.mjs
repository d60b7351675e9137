const TYPES = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test'];
const SUBJECT = new RegExp(`^(${TYPES.join('|')})(\\([a-z0-9][a-z0-9/, -]*\\))?!?: \\S.*[^.\\s]$`);
const MAX_LENGTH = 100;
/** Written by Git; the second group disappears in a rebase. */
const GIT_SUBJECT = /^(Merge|Revert) |^(fixup|squash|amend)! /;

/**
 * @param {string} subject of a commit
 * @returns {string | undefined} the problem
 */
export function findSubjectProblem(subject) {
  if (GIT_SUBJECT.test(subject)) return undefined;
  if (!SUBJECT.test(subject))
    return `write “type(scope): what it does”, with a type of ${TYPES.join(', ')} and no full stop`;
  if (subject.length > MAX_LENGTH) return `${subject.length} characters; the limit is ${MAX_LENGTH}`;
  return undefined;
}
