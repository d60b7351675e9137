import { explainInstallFailure } from '../lib/command.mjs';
import { UserFacingError } from '../lib/user-facing-error.mjs';
import { runNpmJson } from './npm-json.mjs';

/** So that npm fails soon without a network. */
const NETWORK_FLAGS = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-timeout=30000'];

/**
 * A known vulnerability of a production package.
 *
 * @typedef {object} Advisory
 * @property {string} id such as GHSA-xxxx-xxxx-xxxx
 * @property {string} packageName
 * @property {string} severity
 * @property {string} title
 */

/**
 * A temporarily accepted advisory of `audit-exceptions.json`.
 *
 * @typedef {object} AuditException
 * @property {string} id of the advisory
 * @property {string} reason why the service is not affected
 * @property {string} until the last day of the exception, as YYYY-MM-DD
 */

/**
 * Returns the advisories of the locked production packages, from `npm audit`. Many registries have no audit; `unreachable`
 * is then the reason, so that this differs from a clean result.
 *
 * @param {string} [folder] of the project
 * @param {readonly string[]} [flags] of npm
 * @returns {Promise<{ advisories: Advisory[] } | { unreachable: string }>}
 * @throws UserFacingError when npm itself fails
 */
export async function fetchAdvisories(folder, flags = []) {
  const command = ['audit', '--omit=dev', '--package-lock-only', '--json', ...NETWORK_FLAGS, ...flags];
  return parseAuditReport(await runNpmJson(command, folder));
}

/** @param {Awaited<ReturnType<typeof runNpmJson>>} result of `npm audit --json` */
export function parseAuditReport({ json, stderr }) {
  if (json?.vulnerabilities) return { advisories: flattenAdvisories(json.vulnerabilities) };
  const reason = json?.message ?? json?.error?.summary ?? stderr;
  if (json?.statusCode !== undefined) return { unreachable: `the registry answered ${reason}` };
  const knownReason = explainInstallFailure(`${reason}\n${stderr}`);
  if (knownReason === 'the network cannot be reached') return { unreachable: knownReason };
  throw new UserFacingError(`npm audit failed: ${reason}`);
}

/** For a dependent of a vulnerable package, `via` contains that package's name instead of an advisory. */
function flattenAdvisories(vulnerabilities) {
  const found = new Map();
  for (const { via } of Object.values(vulnerabilities)) {
    for (const each of via) {
      if (typeof each === 'string') continue;
      const { name, severity, title } = each;
      const id = each.url?.split('/').at(-1) ?? String(each.source);
      found.set(`${id} ${name}`, { id, packageName: name, severity, title });
    }
  }
  return [...found.values()];
}

/**
 * @param {AuditException[]} exceptions
 * @param {string} today as YYYY-MM-DD
 * @returns {string[]} one line for each exception that is incomplete or has expired
 */
export function findExceptionProblems(exceptions, today) {
  return exceptions.flatMap(({ id, reason, until }, index) => {
    if (!id) return [`exception ${index + 1} has no id: name the advisory`];
    if (!reason?.trim()) return [`exception ${id} has no reason: state why the service is not affected`];
    if (!isCalendarDay(until)) return [`exception ${id} has no date in until: write YYYY-MM-DD`];
    if (until < today) return [`exception ${id} expired on ${until}: review it`];
    return [];
  });
}

/**
 * @param {Advisory[]} advisories
 * @param {AuditException[]} exceptions
 * @returns {string[]} one line for each advisory without an exception, and each exception without an advisory
 */
export function findAuditProblems(advisories, exceptions) {
  const excepted = new Set(exceptions.map(({ id }) => id));
  const known = new Set(advisories.map(({ id }) => id));
  return [
    ...advisories
      .filter(({ id }) => !excepted.has(id))
      .map(({ id, packageName, severity, title }) => `${id} (${severity}) in ${packageName}: ${title}`),
    ...exceptions
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `exception ${id} matches no advisory: remove it`),
  ];
}

function isCalendarDay(text) {
  if (!/^\d{4}-\d\d-\d\d$/.test(text ?? '')) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
