/**
 * The pages of the site, by section, in the order of its navigation. A page is a Markdown file of the repository, which
 * also reads well there; its title is its first heading.
 */

/**
 * @typedef {object} PageSource
 * @property {string} path of the page below `/docs/guide`, `''` for the first one
 * @property {string} file path in the repository; with `generate`, the name under which other pages link to it
 * @property {string} [label] in the navigation, where the title is too long
 * @property {'http'} [generate] made from the OpenAPI document instead of read
 */

/** @type {{ title: string, pages: PageSource[] }[]} */
export const SECTIONS = [
  {
    title: 'Quick start',
    pages: [
      page('docs/guide/README.md', '', 'What zephyr does'),
      page('docs/guide/quick-start-curl.md', 'quick-start/curl', 'curl'),
      page('docs/guide/quick-start-node.md', 'quick-start/node', 'Node'),
      page('docs/guide/quick-start-command-line.md', 'quick-start/command-line', 'Command line'),
      page('docs/guide/quick-start-python.md', 'quick-start/python', 'Python'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      page('docs/guide/large-files.md', 'large-files'),
      page('docs/guide/follow-a-job.md', 'follow-a-job', 'Event streams'),
      page('docs/guide/receive-webhooks.md', 'receive-webhooks', 'Webhooks'),
      page('docs/guide/speakers.md', 'speakers', 'Speakers (diarization)'),
      page('docs/guide/vocabularies.md', 'vocabularies', 'Vocabularies'),
      page('docs/using-the-console.md', 'using-the-console'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('docs/api.md', 'api', 'HTTP API'),
      { ...page('docs/openapi.json', 'routes', 'HTTP: all routes'), generate: 'http' },
      ...pages('docs/api', 'api', [
        'uploads',
        'transcribe',
        'jobs',
        'events',
        'transcripts',
        'formats',
        'openai',
        'errors-and-retries',
        'limits',
        'destinations',
        'clients',
      ]),
      page('docs/webhooks.md', 'webhooks', 'Webhooks: all rules'),
      page('docs/errors.md', 'errors'),
      page('docs/clients.md', 'clients'),
      page('packages/client/README.md', 'client', 'Client for JavaScript'),
      page('packages/cli/README.md', 'command-line', 'The command line zephyr'),
      page('docs/operating/commands.md', 'operating/commands', 'Operator commands'),
      page('docs/configuration.md', 'configuration', 'Settings'),
      page('docs/operating/monitoring.md', 'operating/monitoring', 'Metrics and logs'),
      page('docs/guarantees.md', 'guarantees'),
      page('docs/glossary.md', 'glossary'),
      page('CHANGELOG.md', 'changelog'),
    ],
  },
  {
    title: 'Run it yourself',
    pages: [
      page('docs/guide/self-hosting.md', 'self-hosting', 'Self-hosting'),
      page('docs/operating.md', 'operating', 'All operating pages'),
      page('docs/scaling.md', 'scaling', 'Scaling'),
      ...pages('docs/operating', 'operating', [
        'upgrades',
        'deployment',
        'containers',
        'kubernetes',
        'proxies',
        'dependencies',
        'capacity',
        'engines',
        'storage',
        'backup',
        'secrets',
        'accounts',
        'people',
        'payments',
        'breached-passwords',
        'sandbox',
        'tracing',
        'runbooks',
        'troubleshooting',
      ]),
    ],
  },
  {
    title: 'Speech',
    pages: pages('docs/speech', 'speech', [
      'models',
      'sherpa',
      'openai-engine',
      'remote-servers',
      'speakers',
      'channels',
      'language',
      'vocabulary',
      'punctuation',
      'alignment',
      'guards',
      'voice-activity',
    ]),
  },
];

/** @returns {PageSource[]} */
export const listPages = () => SECTIONS.flatMap((section) => section.pages);

/** @param {string} file @param {string} path @param {string} [label] @returns {PageSource} */
function page(file, path, label) {
  return { file, path, ...(label !== undefined && { label }) };
}

/** @param {string} folder @param {string} path @param {string[]} names @returns {PageSource[]} */
function pages(folder, path, names) {
  return names.map((name) => page(`${folder}/${name}.md`, `${path}/${name}`));
}
