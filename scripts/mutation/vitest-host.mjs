/**
 * Child process of `test-runner.mjs`: runs one Vitest in the current folder for the suite that its argument names, so
 * that a run takes little longer than its tests. It answers each message `{ tests, files }` with `{ results }`.
 *
 * tests: test file, from the root -> pattern of the titles
 * files: those that may have changed since the previous run; they are reloaded now and before the next run
 * results: every test that ran or was skipped, as `{ file, title, state, reason }`; reason: the first line of its error
 */
import { join, relative } from 'node:path';
import { createVitest } from 'vitest/node';

const root = process.cwd();
const suite = process.argv[2] ?? '';
const vitest = await createVitest('test', { root, watch: false, project: [suite], reporters: ['default'] });
await vitest.standalone();
const project = vitest.getProjectByName(suite);
let changed = [];

process.on('message', (request) => void runTests(request));
process.once('disconnect', () => void vitest.close().finally(() => process.exit()));
process.send?.('ready');

async function runTests({ tests, files }) {
  for (const file of new Set([...changed, ...files])) vitest.invalidateFile(join(root, file));
  changed = files;
  const specifications = Object.entries(tests).map(([file, titles]) =>
    project.createSpecification(join(root, file), { testNamePattern: new RegExp(titles) }),
  );
  const { testModules } = await vitest.runTestSpecifications(specifications);
  const results = testModules.flatMap(({ moduleId, children }) =>
    Array.from(children.allTests(), (test) => {
      const { state, errors = [] } = test.result();
      const reason = errors[0]?.message.split('\n')[0];
      return { file: relative(root, moduleId), title: test.name, state, reason };
    }),
  );
  process.send?.({ results });
}
