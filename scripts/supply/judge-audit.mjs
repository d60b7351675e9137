/**
 * An advisory that we live with for a while. It stands in `audit-exceptions.json`.
 *
 * @typedef {object} AuditException
 * @property {string} id of the advisory
 * @property {string} reason why it does no harm here
 * @property {string} until the last day that it holds, as YYYY-MM-DD
 */

/**
 * What is wrong with the list of exceptions itself: one line each.
 *
 * @param {AuditException[]} exceptions
 * @param {string} today as YYYY-MM-DD
 * @returns {string[]}
 */
export function judgeExceptions(exceptions, today) {
  return exceptions.flatMap(({ id, reason, until }, index) => {
    if (!id) return [`exception ${index + 1} has no id: name the advisory`];
    if (!reason?.trim()) return [`exception ${id} has no reason: say why it does no harm here`];
    if (!isDay(until)) return [`exception ${id} has no day in until: write YYYY-MM-DD`];
    if (until < today) return [`exception ${id} ended on ${until}: look at it again`];
    return [];
  });
}

/**
 * What is wrong after the registry has answered: advisories that no exception covers, exceptions that cover none.
 *
 * @param {import('./ask-advisories.mjs').Advisory[]} advisories
 * @param {AuditException[]} exceptions
 * @returns {string[]}
 */
export function judgeAdvisories(advisories, exceptions) {
  const excepted = new Set(exceptions.map(({ id }) => id));
  const known = new Set(advisories.map(({ id }) => id));
  return [
    ...advisories
      .filter(({ id }) => !excepted.has(id))
      .map(({ id, packageName, severity, title }) => `${id} (${severity}) in ${packageName}: ${title}`),
    ...exceptions
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `exception ${id} covers nothing any more: strike it`),
  ];
}

function isDay(text) {
  if (!/^\d{4}-\d\d-\d\d$/.test(text ?? '')) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}
