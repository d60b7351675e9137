/**
 * Which folder may import which (docs/ARCHITECTURE.md). The rules below follow from this table.
 * `docs/adr/0004-linters.md` describes how each rule was tried with an import that it forbids.
 */

/** Library -> the libraries it may import, and those of which it may know the types only. */
const LAYERS = {
  errors: { values: [], types: [] },
  async: { values: ['errors'], types: [] },
  config: { values: ['errors'], types: [] },
  transcript: { values: ['errors'], types: [] },
  speech: { values: ['async', 'errors'], types: [] },
  storage: { values: ['async', 'errors'], types: [] },
  database: { values: ['async', 'errors'], types: [] },
  auth: { values: ['errors', 'database'], types: [] },
  billing: { values: ['errors', 'database'], types: ['jobs'] },
  jobs: { values: ['async', 'errors', 'database', 'storage'], types: ['transcript'] },
  installation: { values: ['async', 'errors', 'database', 'storage', 'jobs'], types: [] },
  outbound: { values: ['errors'], types: [] },
  webhooks: { values: ['errors', 'database', 'outbound'], types: ['jobs'] },
  runtime: {
    values: ['async', 'errors', 'config', 'database', 'storage', 'auth', 'jobs', 'installation'],
    types: [],
  },
};

/** Files that only tests use: beside the code, never part of it. */
const TEST_FILES = '[.](test|contract)[.]ts$|/testing/';

const anyOf = (names) => `(${names.join('|')})`;

function layerRules([lib, { values, types }]) {
  const from = { path: `^libs/${lib}/` };
  const known = [lib, ...values, ...types];
  const rules = [
    {
      name: `layer-${lib}`,
      comment: `libs/${lib} may import ${values.concat(types.map((type) => `${type} (types)`)).join(', ') || 'nothing of ours'}.`,
      severity: 'error',
      from,
      to: { path: '^libs/', pathNot: `^libs/${anyOf(known)}/` },
    },
  ];
  if (types.length > 0) {
    rules.push({
      name: `layer-${lib}-types-only`,
      comment: `libs/${lib} may know only the types of ${types.join(', ')}.`,
      severity: 'error',
      from: { ...from, pathNot: TEST_FILES },
      to: { path: `^libs/${anyOf(types)}/`, dependencyTypesNot: ['type-only'] },
    });
  }
  return rules;
}

module.exports = {
  forbidden: [
    ...Object.entries(LAYERS).flatMap(layerRules),
    {
      name: 'lib-without-layer',
      comment: 'A new library needs a row in the table above.',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      to: { path: '^libs/', pathNot: `^libs/${anyOf(Object.keys(LAYERS))}/` },
    },
    {
      name: 'lib-from-outside-by-index',
      comment: 'Outsiders reach a library through @app/<lib>, its index.ts, and nothing else.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: '^libs/$1/|^libs/[^/]+/src/index[.]ts$' },
    },
    {
      name: 'lib-from-apps-by-index',
      comment: 'Apps and benches reach a library through @app/<lib>, its index.ts, and nothing else.',
      severity: 'error',
      from: { path: '^(apps|bench)/' },
      to: { path: '^libs/', pathNot: '^libs/[^/]+/src/index[.]ts$' },
    },
    {
      name: 'lib-inside-not-by-index',
      comment: 'Inside a library the file itself is imported: its own index closes cycles.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/src/', pathNot: '^libs/[^/]+/src/index[.]ts$' },
      to: { path: '^libs/$1/src/index[.]ts$' },
    },
    {
      name: 'libs-know-no-app',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-know-no-other-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'console-knows-no-library',
      comment: 'The pages run in browsers and know the API by HTTP only.',
      severity: 'error',
      from: { path: '^apps/console/' },
      to: { path: '^libs/' },
    },
    {
      name: 'packages-know-no-service',
      comment: 'What callers install knows the API by HTTP only.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(apps|libs|test|bench)/' },
    },
    {
      name: 'client-knows-no-other-code',
      comment:
        'The client runs wherever fetch does: without packages, and without modules of Node except for files.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: '[.]test[.]ts$|/node-files[.]ts$|/testing/' },
      to: { pathNot: '^packages/client/src/' },
    },
    {
      name: 'command-line-on-the-client',
      comment: 'The command line uses what every program can: the client by its entry, and modules of Node.',
      severity: 'error',
      from: { path: '^packages/cli/src/', pathNot: TEST_FILES },
      to: { pathNot: '^packages/cli/src/|^packages/client/src/index[.]ts$', dependencyTypesNot: ['core'] },
    },
    {
      name: 'service-knows-no-package',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      to: { path: '^packages/' },
    },
    {
      name: 'runtime-is-for-apps',
      comment:
        'Logging, metrics and shutdown belong to the processes: libraries take what they need as options.',
      severity: 'error',
      from: { path: '^libs/', pathNot: '^libs/runtime/' },
      to: { path: '^libs/runtime/' },
    },
    {
      name: 'e2e-knows-no-source',
      comment:
        'The black box speaks HTTP and reads files. Hostile media are sent to the decoder itself, a thousand of them.',
      severity: 'error',
      from: {
        path: '^test/(e2e|faults|payments)/',
        pathNot: '^test/faults/(hostile-media|silent-day)[.]test[.]ts$',
      },
      to: { path: '^(apps|libs)/' },
    },
    {
      name: 'source-knows-no-test',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'code-knows-no-test-file',
      comment: 'What is only for tests is imported by tests only.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: TEST_FILES },
      to: { path: `^(apps|libs)/.*(${TEST_FILES})` },
    },
    {
      name: 'no-cycles',
      comment: 'Cycles at run time. Two entities may name each other by type only.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-undeclared-package',
      comment: 'A package that is used stands in package.json.',
      severity: 'error',
      from: { path: '^(apps|libs|test|bench)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-package-at-run-time',
      comment:
        'What runs in production is a dependency, not a development dependency. The console is built into static files.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: `${TEST_FILES}|^apps/console/` },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@types/',
      },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The clients' programs import what is generated when their test runs.
    exclude: { path: '^(dist|data|coverage|test/e2e/clients|test/clients/programs)/|^packages/[a-z]+/dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'types', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
