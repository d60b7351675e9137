import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listSamples } from '../../guide/list-samples.mjs';
import { buildFlags, extractFiles, hasImage, storageFlags } from './buildah.mjs';
import { runStep } from './run-step.mjs';

const TEST_BASES = ['BASE_IMAGE=localhost/zephyr-test-base', 'BUILD_IMAGE=localhost/zephyr-test-base'];
const TEST_ARGUMENTS = [...TEST_BASES, 'NODE_IMAGE=localhost/zephyr-test-node'];
/** Names of the page, and the images of the test that stand for them. */
const TEST_NAMES = [
  [/\bzephyr:(?=\w)/g, 'zephyr-test:'],
  [/\byour-image-of-cuda-and-cudnn\b/g, 'localhost/zephyr-test-cuda'],
  [/\byour-base\b/g, 'localhost/zephyr-test-cuda-base'],
];
const DOCKER_BUILD = /^docker build (?=.*-t (\S+))/;

/**
 * Runs the build commands of docs/operating/containers.md with buildah, on base images of Debian packages.
 *
 * @param {string} folder of the images; images that it has are not built again
 * @param {(what: string, step: () => Promise<unknown>) => Promise<void>} report
 */
export async function runDocumentedBuilds(folder, report) {
  const [{ samples }] = await listSamples('scripts/lib/images/documented-builds.mjs');
  for (const { code, file } of samples) {
    if (file === undefined) await runCommands(folder, code, report);
    else await saveContainerfile(folder, file, code);
  }
}

/** Saves a Containerfile of the page, and beside it the files that it copies. */
async function saveContainerfile(folder, file, code) {
  const context = join(folder, file, '..');
  await mkdir(context, { recursive: true });
  await writeFile(join(folder, file), useTestNames(code));
  const [, copied = ''] = /^COPY (.*) \S+$/m.exec(code) ?? [];
  await extractFiles(folder, 'localhost/zephyr-test-cuda', async (root) => {
    for (const name of copied.split(' ')) await copyFile(join(root, 'libraries', name), join(context, name));
  });
}

async function runCommands(folder, code, report) {
  for (const command of useTestNames(code).trim().split('\n')) {
    const [, tag] = DOCKER_BUILD.exec(command) ?? [];
    if (tag === undefined) throw new Error(`The page has a command that is no build: ${command}`);
    if (await hasImage(folder, tag)) continue;
    const flags = [...storageFlags(folder), 'bud', ...buildFlags];
    const buildah = ['buildah', ...flags, ...TEST_ARGUMENTS.flatMap((each) => ['--build-arg', each])];
    const script = command.replace(DOCKER_BUILD, () => `${buildah.map((each) => `'${each}'`).join(' ')} `);
    // The deployed Containerfile is in the repository, the other one was saved in the folder.
    const cwd = command.includes(' deploy/Containerfile ') ? undefined : folder;
    await report(tag, () => runStep('sh', ['-c', script], cwd));
  }
}

function useTestNames(text) {
  return TEST_NAMES.reduce((renamed, [name, testName]) => renamed.replaceAll(name, testName), text);
}
