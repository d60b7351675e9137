/**
 * `npm run bench:speech`: how well the service hears, tells speakers apart and uses the machine, beside the bare engine
 * on the same recordings in the same run. Needs Linux, whose /proc tells processor times and memory.
 *
 *   --only NAME    one part: dialogues, readers, rough or vocabulary
 *   --quick        little material, to try a change; figures of it are not to be quoted
 *   --long         also dialogues of an hour
 *   --record       also puts the tables into bench/README.md
 *   --folder DIR   one's own recordings instead, with what was said in NAME.txt and who spoke in NAME.rttm
 */
import { resolve } from 'node:path';
import { benchParameters } from './lib/bench-parameters.mjs';
import { prepare } from './lib/prepare.mjs';
import { runScript, Trouble } from './lib/trouble.mjs';

const PARTS = ['dialogues', 'readers', 'rough', 'vocabulary'];

await runScript(async () => {
  const { only, quick, long, record, folder } = readParameters();
  if (process.platform !== 'linux') throw new Trouble('The measurements need Linux.');
  await prepare({ tests: true });
  const { benchFolder, benchSpeech } = await import('../bench/speech.mjs');
  const parts = only === undefined ? PARTS : [only];
  const report = folder === null ? await benchSpeech({ parts, quick, long }) : await benchFolder(folder);
  console.log(report);
  if (record) {
    const { recordTable } = await import('../bench/lib/report.mjs');
    await recordTable(report, 'last speech table');
  }
  return 0;
});

function readParameters() {
  const more = { long: { type: 'boolean', default: false }, folder: { type: 'string' } };
  const values = benchParameters({ called: 'Parts', names: PARTS, more });
  const { only, quick, long, record, folder } = values;
  if (folder !== undefined && (only !== undefined || quick || long || record))
    throw new Trouble('With --folder no other parameter is taken.');
  return { ...values, folder: folder === undefined ? null : resolve(folder) };
}
