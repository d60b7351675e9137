import { writeFileSync } from 'node:fs';

/** The errors of vitest whose cause is a worker process that ended: without a file, and without its name. */
const WORKER_ERROR = '[vitest-pool]: ';

/** @typedef {import('./suite-report.mjs').UnhandledError} UnhandledError */

/**
 * A reporter of vitest that writes the errors which no test caught, and which fail a run although none of its tests
 * failed, as `UnhandledError[]` (suite-report.mjs) to the file `UNHANDLED_ERRORS_FILE`. The JSON report omits them.
 */
export default class UnhandledErrorsReporter {
  onTestRunEnd(modules, errors) {
    const unfinished = modules.filter((each) => ['queued', 'pending'].includes(each.state()));
    const files = unfinished.map(({ moduleId }) => moduleId);
    const isWorkerError = ({ message, VITEST_TEST_PATH: file }) => !file && message.startsWith(WORKER_ERROR);
    const described = errors
      .filter((error) => !isWorkerError(error) || files.length === 0)
      .map(describeError);
    const workerError = errors.find(isWorkerError);
    // Each file without a result was running when its worker ended.
    if (workerError) described.push(...files.map((file) => ({ ...describeError(workerError), file })));
    writeFileSync(process.env['UNHANDLED_ERRORS_FILE'], JSON.stringify(described));
  }
}

/** @returns {UnhandledError} */
function describeError({ name, message, stack, cause, VITEST_TEST_PATH: file }) {
  const reason = cause?.message ? ` ${cause.message}.` : '';
  return { message: `${name ?? 'Error'}: ${message}${reason}`, stack, file };
}
