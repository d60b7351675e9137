import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * Writes a `.gz` and a `.br` beside every file of a folder, as the API serves them.
 *
 * @param {string} folder @param {{ fast?: boolean }} [options] fast: for a build that is repeated after every change
 */
export async function compressFiles(folder, { fast = false } = {}) {
  const quality = fast ? constants.BROTLI_MIN_QUALITY : constants.BROTLI_MAX_QUALITY;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const content = await readFile(path);
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: fast ? 1 : 9 }));
    await writeFile(
      `${path}.br`,
      await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    );
  }
}
