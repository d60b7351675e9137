/**
 * `npm run release -- VERSION`: commits and tags a release. Writes the version to package.json, package-lock.json, the manifests of
 * Kubernetes and the pages about installations, and with the date to the “Unreleased” section of CHANGELOG.md, and generates the documents that contain it. The version of the
 * HTTP interface is separate. Pushes nothing.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCaptured } from './lib/command.mjs';
import { assertNoProgramWouldLoseItsBuild } from './lib/keep-build.mjs';
import { releaseChangelog, replaceVersion, setVersion, VERSIONED_FILES } from './lib/release/versions.mjs';
import { ROOT } from './lib/root.mjs';
import { runScript, printProgress, UserFacingError } from './lib/user-facing-error.mjs';

await runScript(async () => {
  const [version, ...rest] = process.argv.slice(2);
  if (!version || rest.length > 0) throw new UserFacingError('Name the version: npm run release -- 1.2.3');
  if ((await runCommand('git', ['status', '--porcelain'])) !== '')
    throw new UserFacingError('The working tree has changes. Commit them first.');
  const tag = `v${version}`;
  if ((await runCommand('git', ['tag', '--list', tag])) !== '')
    throw new UserFacingError(`The tag ${tag} exists already.`);
  // The documents are generated from a build with the new version.
  await assertNoProgramWouldLoseItsBuild({ rebuild: true });

  const today = new Date().toISOString().slice(0, 10);
  const { version: current } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  // All contents are computed before the first file is written.
  const files = await Promise.all([
    computeChange('package.json', (text) => setVersion(text, version)),
    computeChange('package-lock.json', (text) => setVersion(text, version)),
    computeChange('CHANGELOG.md', (text) => releaseChangelog(text, version, today)),
    ...VERSIONED_FILES.map((path) => computeChange(path, (text) => replaceVersion(text, current, version))),
  ]);
  for (const [path, text] of files) await writeFile(path, text);
  printProgress('Generating the documents ...');
  await runCommand(process.execPath, ['scripts/docs.mjs']);
  await runCommand('git', ['commit', '--all', '--message', `chore(release): ${version}`]);
  await runCommand('git', ['tag', '--annotate', tag, '--message', `zephyr ${version}`]);
  printProgress(`Committed and tagged as ${tag}. Next: git push --follow-tags, npm run release:build -- DIR`);
  return 0;
});

async function computeChange(name, change) {
  const path = join(ROOT, name);
  return [path, change(await readFile(path, 'utf8'))];
}

async function runCommand(command, parameters) {
  const { code, output } = await runCaptured(command, parameters);
  if (code !== 0) throw new UserFacingError(`${command} ${parameters[0]} failed with code ${code}.`, output);
  return output.trim();
}
