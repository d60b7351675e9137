import { usualReason } from '../lib/command.mjs';
import { Trouble } from '../lib/trouble.mjs';
import { npmJson } from './npm-json.mjs';

/** Whoever has no network wants to know at once. */
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-timeout=30000'];

/**
 * A known hole in a package that the service runs with.
 *
 * @typedef {object} Advisory
 * @property {string} id such as GHSA-xxxx-xxxx-xxxx
 * @property {string} packageName
 * @property {string} severity
 * @property {string} title
 */

/**
 * Asks the registry, through npm, for what is known against the locked packages, those that only build and test left
 * out. A registry that cannot be reached, or that answers no such question, is no verdict: `unreachable` has the reason.
 *
 * @param {string} [folder] of the project
 * @param {readonly string[]} [flags] more for npm
 * @returns {Promise<{ advisories: Advisory[] } | { unreachable: string }>}
 * @throws Trouble when npm could not do its part
 */
export async function askAdvisories(folder, flags = []) {
  const asked = ['audit', '--omit=dev', '--package-lock-only', '--json', ...PATIENCE, ...flags];
  return readAnswer(await npmJson(asked, folder));
}

/** @param {Awaited<ReturnType<typeof npmJson>>} heard of `npm audit --json` */
export function readAnswer({ answer, said }) {
  if (answer?.vulnerabilities) return { advisories: advisoriesOf(answer.vulnerabilities) };
  const reason = answer?.message ?? answer?.error?.summary ?? said;
  // A registry that refuses has a status, a line that is dead has one of the usual reasons.
  if (answer?.statusCode !== undefined) return { unreachable: `the registry answered ${reason}` };
  const usual = usualReason(`${reason}\n${said}`);
  if (usual === 'the network cannot be reached') return { unreachable: usual };
  throw new Trouble(`npm audit failed: ${reason}`);
}

/** Packages that only contain a package with a hole name that one instead of an advisory. */
function advisoriesOf(vulnerabilities) {
  const found = new Map();
  for (const { via } of Object.values(vulnerabilities)) {
    for (const each of via) {
      if (typeof each === 'string') continue;
      const id = each.url?.split('/').at(-1) ?? String(each.source);
      found.set(`${id} ${each.name}`, {
        id,
        packageName: each.name,
        severity: each.severity,
        title: each.title,
      });
    }
  }
  return [...found.values()];
}
