/**
 * `npm run bench`: measures the service against baselines and prints tables; all measurements are written to
 * `.cache/bench`. Needs Linux for /proc.
 *
 *   --only NAME    one measurement of the table below (ten-hours, scale and capacity run only this way)
 *   --jobs N       ended jobs of scale, default 500000; --transcripts N likewise, default 20000
 *   --quick        short rounds, to try a change; do not quote its figures
 *   --record       also writes the tables to bench/README.md
 *   --profile DIR  writes a CPU profile of the API there (http, streaming, upload, list-page,
 *                  idle-streams, pipeline, console)
 */
import { resolve } from 'node:path';
import { parseBenchArguments } from './lib/bench-arguments.mjs';
import { removeSettingsOfInstallationFromEnvironment } from './lib/bench-settings.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { runScript, printProgress, UserFacingError } from './lib/user-facing-error.mjs';

/** Imported on use, because the build that they import may not exist before. */
const MEASUREMENTS = {
  'long-file': async () => (await import('../bench/long-file.mjs')).benchLongFile,
  'short-file': async () => (await import('../bench/short-file.mjs')).benchShortFile,
  transcript: async () => (await import('../bench/transcript.mjs')).benchTranscript,
  http: async () => (await import('../bench/http.mjs')).benchHttp,
  'list-page': async () => (await import('../bench/list-page.mjs')).benchListPage,
  'class-transformer': async () => (await import('../bench/class-transformer.mjs')).benchClassTransformer,
  pipeline: async () => (await import('../bench/pipeline.mjs')).benchPipeline,
  capacity: async () => (await import('../bench/capacity.mjs')).benchCapacity,
  'idle-streams': async () => (await import('../bench/idle-streams.mjs')).benchIdleStreams,
  streaming: async () => (await import('../bench/streaming.mjs')).benchStreaming,
  upload: async () => (await import('../bench/upload.mjs')).benchUpload,
  decode: async () => (await import('../bench/decode.mjs')).benchDecode,
  console: async () => (await import('../bench/console.mjs')).benchConsole,
  start: async () => (await import('../bench/start.mjs')).benchStart,
  scale: async () => (await import('../bench/scale.mjs')).benchScale,
  'ten-hours': async () => (await import('../bench/ten-hours.mjs')).benchTenHours,
};
/** ten-hours and scale take as long as all others; capacity compares with predictions instead of a baseline. */
const RUN_ONLY_ALONE = new Set(['ten-hours', 'scale', 'capacity']);

await runScript(async () => {
  const { only, record, ...options } = parseParameters();
  if (process.platform !== 'linux') throw new UserFacingError('The measurements need Linux.');
  await prepareCheckout({ tests: true });
  await removeSettingsOfInstallationFromEnvironment();
  const { saveResult, writeReportToReadme, formatResult } = await import('../bench/lib/report.mjs');
  const defaultNames = Object.keys(MEASUREMENTS).filter((name) => !RUN_ONLY_ALONE.has(name));
  for (const name of only ? [only] : defaultNames) {
    printProgress(`Measuring ${name} ...`);
    const measure = await MEASUREMENTS[name]();
    const result = await measure(options);
    await saveResult({ ...result, quick: options.quick });
    const report = formatResult(result);
    console.log(`\n${name}: ${report}`);
    if (record) await writeReportToReadme(report, `last table of ${name}`);
  }
  return 0;
});

function parseParameters() {
  const names = Object.keys(MEASUREMENTS);
  const values = parseBenchArguments({
    label: 'Measurements',
    names,
    canRecordPart: true,
    extraOptions: {
      profile: { type: 'string' },
      jobs: { type: 'string' },
      transcripts: { type: 'string' },
    },
  });
  return {
    ...values,
    profile: values.profile === undefined ? null : resolve(values.profile),
    jobs: parseCount('--jobs', values.jobs),
    transcripts: parseCount('--transcripts', values.transcripts),
  };
}

/** @param {string} option @param {string | undefined} value */
function parseCount(option, value) {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{2,8}$/.test(value)) throw new UserFacingError(`${option} takes a number from 100.`);
  return Number(value);
}
