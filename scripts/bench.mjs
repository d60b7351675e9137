/**
 * `npm run bench`: measures the service against baselines and prints a table; what was measured in detail is written
 * to `.cache/bench`. Needs Linux, whose /proc tells processor times.
 *
 *   --only NAME    one measurement of the table below; ten-hours is no part of the rest
 *   --quick        short rounds, to try a change; figures of it are not to be quoted
 *   --record       also puts the table into bench/README.md
 *   --profile DIR  leaves a processor profile of the api program there (http, streaming,
 *                  upload, list-page, idle-streams, pipeline)
 */
import { resolve } from 'node:path';
import { benchParameters } from './lib/bench-parameters.mjs';
import { prepare } from './lib/prepare.mjs';
import { runScript, say, Trouble } from './lib/trouble.mjs';

/** Loaded when their turn comes: they use the build, which may not be there before. */
const MEASUREMENTS = {
  'long-file': async () => (await import('../bench/long-file.mjs')).longFile,
  'short-file': async () => (await import('../bench/short-file.mjs')).shortFile,
  transcript: async () => (await import('../bench/transcript.mjs')).transcript,
  http: async () => (await import('../bench/http.mjs')).http,
  'list-page': async () => (await import('../bench/list-page.mjs')).listPage,
  pipeline: async () => (await import('../bench/pipeline.mjs')).pipeline,
  'idle-streams': async () => (await import('../bench/idle-streams.mjs')).idleStreams,
  streaming: async () => (await import('../bench/streaming.mjs')).streaming,
  upload: async () => (await import('../bench/upload.mjs')).upload,
  decode: async () => (await import('../bench/decode.mjs')).decode,
  start: async () => (await import('../bench/start.mjs')).start,
  'ten-hours': async () => (await import('../bench/ten-hours.mjs')).tenHours,
};
/** Takes as long as all the others. */
const BY_ITSELF = 'ten-hours';

await runScript(async () => {
  const { only, quick, record, profile } = readParameters();
  if (process.platform !== 'linux') throw new Trouble('The measurements need Linux.');
  await prepare({ tests: true });
  const { keepResult, recordTable, table } = await import('../bench/lib/report.mjs');
  const results = [];
  const usual = Object.keys(MEASUREMENTS).filter((name) => name !== BY_ITSELF);
  for (const name of only ? [only] : usual) {
    say(`Measuring ${name} ...`);
    const measure = await MEASUREMENTS[name]();
    const result = await measure({ quick, profile });
    await keepResult({ ...result, quick });
    results.push(result);
  }
  const report = `${results.map(({ name, setting }) => `- ${name}: ${setting}`).join('\n')}\n\n${table(results)}`;
  console.log(report);
  if (record) await recordTable(report);
  return 0;
});

function readParameters() {
  const names = Object.keys(MEASUREMENTS);
  const values = benchParameters({ called: 'Measurements', names, more: { profile: { type: 'string' } } });
  return { ...values, profile: values.profile === undefined ? null : resolve(values.profile) };
}
