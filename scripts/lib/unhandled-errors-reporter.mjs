import { writeFileSync } from 'node:fs';

/**
 * A reporter of vitest that writes the errors which no test caught, and which fail a run although none of its tests
 * failed, as `UnhandledError[]` (ring-report.mjs) to the file `UNHANDLED_ERRORS_FILE`. The JSON report omits them.
 */
export default class UnhandledErrorsReporter {
  onTestRunEnd(_modules, errors) {
    const unhandled = errors.map(({ name, message, stack, VITEST_TEST_PATH: file }) => ({
      message: `${name ?? 'Error'}: ${message}`,
      stack,
      file,
    }));
    writeFileSync(process.env['UNHANDLED_ERRORS_FILE'], JSON.stringify(unhandled));
  }
}
