/**
 * Started by `tests.mjs` in the folder of a project, with the name of a ring: keeps Vitest ready and runs what it is
 * told to, so that a run costs little more than its tests. Each message `{ tests, files }` is answered with
 * `{ results }`; it ends with whoever started it.
 *
 * tests: file of tests, from the root -> pattern of the titles
 * files: those that may have changed since the run before; they are read again, and before the next run as well
 * results: every test that ran or was skipped, as `{ file, title, state, why }`; why: the first line of its error
 */
import { join, relative } from 'node:path';
import { createVitest } from 'vitest/node';

const root = process.cwd();
const ring = process.argv[2] ?? '';
const vitest = await createVitest('test', { root, watch: false, project: [ring], reporters: ['default'] });
await vitest.standalone();
const project = vitest.getProjectByName(ring);
let changed = [];

process.on('message', (asked) => void answer(asked));
process.once('disconnect', () => void vitest.close().finally(() => process.exit()));
process.send?.('ready');

async function answer({ tests, files }) {
  for (const file of new Set([...changed, ...files])) vitest.invalidateFile(join(root, file));
  changed = files;
  const specifications = Object.entries(tests).map(([file, titles]) =>
    project.createSpecification(join(root, file), { testNamePattern: new RegExp(titles) }),
  );
  const { testModules } = await vitest.runTestSpecifications(specifications);
  const results = testModules.flatMap(({ moduleId, children }) =>
    Array.from(children.allTests(), (test) => {
      const { state, errors = [] } = test.result();
      const why = errors[0]?.message.split('\n')[0];
      return { file: relative(root, moduleId), title: test.name, state, why };
    }),
  );
  process.send?.({ results });
}
