/**
 * `npm run release -- VERSION`: makes the commit and the tag of a release. Writes the version into package.json and
 * package-lock.json, gives the “Unreleased” part of CHANGELOG.md the version and the day, and generates the documents that
 * name the version. The interface has a version of its own, which stays. Nothing is pushed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { capture } from './lib/command.mjs';
import { releaseChangelog, setVersion } from './lib/release/versions.mjs';
import { ROOT } from './lib/root.mjs';
import { runScript, say, Trouble } from './lib/trouble.mjs';

await runScript(async () => {
  const [version, ...rest] = process.argv.slice(2);
  if (!version || rest.length > 0) throw new Trouble('Name the version: npm run release -- 1.2.3');
  if ((await run('git', ['status', '--porcelain'])) !== '')
    throw new Trouble('The working tree has changes. Commit them first.');
  const tag = `v${version}`;
  if ((await run('git', ['tag', '--list', tag])) !== '') throw new Trouble(`The tag ${tag} exists already.`);

  const today = new Date().toISOString().slice(0, 10);
  // All are computed before the first is written.
  const files = await Promise.all([
    changed('package.json', (text) => setVersion(text, version)),
    changed('package-lock.json', (text) => setVersion(text, version)),
    changed('CHANGELOG.md', (text) => releaseChangelog(text, version, today)),
  ]);
  for (const [path, text] of files) await writeFile(path, text);
  say('Generating the documents ...');
  await run(process.execPath, ['scripts/docs.mjs']);
  await run('git', ['commit', '--all', '--message', `chore(release): ${version}`]);
  await run('git', ['tag', '--annotate', tag, '--message', `zephyr ${version}`]);
  say(`Committed and tagged as ${tag}. Next: git push --follow-tags, npm run release:build -- DIR`);
  return 0;
});

async function changed(name, change) {
  const path = join(ROOT, name);
  return [path, change(await readFile(path, 'utf8'))];
}

async function run(command, parameters) {
  const { code, output } = await capture(command, parameters);
  if (code !== 0) throw new Trouble(`${command} ${parameters[0]} failed with code ${code}.`, output);
  return output.trim();
}
