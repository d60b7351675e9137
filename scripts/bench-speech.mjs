/**
 * `npm run bench:speech`: word errors, speaker errors and use of the machine, compared with the bare engine on the same
 * recordings in the same run. Needs Linux for /proc.
 *
 *   --only NAME    one part: dialogues, readers, rough, vocabulary, correction or alignment
 *   --quick        few recordings, to try a change; do not quote its figures
 *   --long         also dialogues of an hour
 *   --record       also writes the tables to bench/README.md
 *   --folder DIR   your own recordings instead, with their words in NAME.txt and speakers in NAME.rttm
 */
import { resolve } from 'node:path';
import { parseBenchArguments } from './lib/bench-arguments.mjs';
import { removeSettingsOfInstallationFromEnvironment } from './lib/bench-settings.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { runScript, UserFacingError } from './lib/user-facing-error.mjs';

const PARTS = ['dialogues', 'readers', 'rough', 'vocabulary', 'correction', 'alignment'];

await runScript(async () => {
  const { only, quick, long, record, folder } = parseParameters();
  if (process.platform !== 'linux') throw new UserFacingError('The measurements need Linux.');
  await prepareCheckout({ tests: true });
  await removeSettingsOfInstallationFromEnvironment();
  const { benchFolder, benchSpeech } = await import('../bench/speech.mjs');
  const parts = only === undefined ? PARTS : [only];
  const report = folder === null ? await benchSpeech({ parts, quick, long }) : await benchFolder(folder);
  console.log(report);
  if (record) {
    const { writeReportToReadme } = await import('../bench/lib/report.mjs');
    await writeReportToReadme(report, 'last speech table');
  }
  return 0;
});

function parseParameters() {
  const extraOptions = { long: { type: 'boolean', default: false }, folder: { type: 'string' } };
  const values = parseBenchArguments({ label: 'Parts', names: PARTS, extraOptions });
  const { only, quick, long, record, folder } = values;
  if (folder !== undefined && (only !== undefined || quick || long || record))
    throw new UserFacingError('--folder cannot be combined with other parameters.');
  return { ...values, folder: folder === undefined ? null : resolve(folder) };
}
