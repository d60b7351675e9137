/**
 * Loaded with `--import` by a program under test: when it ends, writes the paths of all modules that it has loaded to a file in
 * RECORDED_MODULES_FOLDER. Bundles name the modules that they consist of in comments.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

const folder = process.env['RECORDED_MODULES_FOLDER'] ?? '';
const MODULE_COMMENT = /^\/\/ ((?:node_modules|dist)\/\S+)$/gm;
const session = new Session();
session.connect();
/** @type {{ scriptId: string, url: string }[]} */
const scripts = [];
session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params));
session.post('Debugger.enable');

process.once('exit', () => {
  const modules = new Set();
  for (const { scriptId, url } of scripts) {
    modules.add(url);
    session.post('Debugger.getScriptSource', { scriptId }, (_error, source) => {
      for (const [, path = ''] of (source?.scriptSource ?? '').matchAll(MODULE_COMMENT)) modules.add(path);
    });
  }
  const program = /apps\/(\w+)\//.exec(process.argv[1] ?? '')?.[1] ?? 'other';
  writeFileSync(join(folder, `${program}.json`), JSON.stringify([...modules]));
});
