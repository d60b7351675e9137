import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BUILDS = join(ROOT, '.cache', 'previous-version');
const BUILD_MS = 600_000;

const git = async (...parameters: string[]): Promise<string> =>
  (await run('git', parameters, { cwd: ROOT })).stdout.trim();

/**
 * The last tagged release; while there is none, the commit before the last one that added a migration.
 * `PREVIOUS_VERSION` names another one. @returns undefined without a git history
 */
export async function findPreviousVersion(): Promise<string | undefined> {
  const ref = process.env['PREVIOUS_VERSION'] ?? (await findTag()) ?? (await findCommitBeforeMigrations());
  if (ref === undefined) return undefined;
  return git('rev-parse', '--verify', `${ref}^{commit}`).catch(() => undefined);
}

/** Of an earlier commit, because a release runs its own tests too. */
const findTag = (): Promise<string | undefined> =>
  git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').catch(() => undefined);

async function findCommitBeforeMigrations(): Promise<string | undefined> {
  const files = 'libs/database/src/migrations/[0-9]*.ts';
  const added = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', files).catch(() => '');
  return added === '' ? undefined : `${added}^`;
}

/** Builds the version with the installed packages, once. @returns the folder in which its programs run */
export async function buildVersion(commit: string): Promise<string> {
  const folder = join(BUILDS, commit);
  if (existsSync(join(folder, 'dist'))) return folder;
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const archive = join(BUILDS, `${commit}.tar`);
  await git('archive', '--output', archive, commit);
  await run('tar', ['-xf', archive, '-C', draft]);
  await rm(archive);
  await symlink(join(ROOT, 'node_modules'), join(draft, 'node_modules'));
  const options = { cwd: draft, timeout: BUILD_MS };
  await run(process.execPath, [join('node_modules', '@nestjs', 'cli', 'bin', 'nest.js'), 'build'], options);
  await run(process.execPath, [join('scripts', 'build-console.mjs')], options);
  await rename(draft, folder);
  return folder;
}
