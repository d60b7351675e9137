/**
 * A program of its own, so that its memory is that of rendering alone: reads the document named on the command line,
 * writes it in every format one after another, and prints what that took as JSON.
 */
import { readFileSync } from 'node:fs';
import { TRANSCRIPT_FORMATS, getExporter } from '../../dist/libs/transcript/src/index.js';

const [path] = process.argv.slice(2);
// At once, as a rendering thread is handed it: a file read in pieces leaves as much again behind for a while.
const document = JSON.parse(readFileSync(path, 'utf8'));
const formats = {};
for (const format of TRANSCRIPT_FORMATS) {
  formats[format] = await measure(async () => {
    const file = await getExporter(format).render(document);
    if (file.length === 0) throw new Error(`The ${format} is empty.`);
  });
}
const peakMB = process.resourceUsage().maxRSS / 1024;
// What the runtime itself needs to write and read the document once; a second document in memory, so after the peak.
const yardstick = await measure(() => JSON.parse(JSON.stringify(document)));
console.log(JSON.stringify({ formats, yardstick, peakMB }));

/** @param {() => unknown} work */
async function measure(work) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { seconds, processor: (user + system) / 1e6 };
}
