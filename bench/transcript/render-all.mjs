/**
 * Reads a document, renders it in all formats one after another, and prints time and memory as JSON. It is a separate
 * program, so that only rendering is measured.
 */
import { readFileSync } from 'node:fs';
import { TRANSCRIPT_FORMATS, getExporter } from '../../dist/libs/transcript/src/index.js';

const [path] = process.argv.slice(2);
// In one read, as a rendering thread receives it: reading in pieces would use the same memory again for a while.
const document = JSON.parse(readFileSync(path, 'utf8'));
const formats = {};
for (const format of TRANSCRIPT_FORMATS) {
  formats[format] = await measure(async () => {
    const file = await getExporter(format).render(document);
    if (file.length === 0) throw new Error(`The ${format} is empty.`);
  });
}
// maxRSS is in KiB.
const peakMB = (process.resourceUsage().maxRSS * 1024) / 1e6;
// For comparison. Measured after the peak, because it holds a second document in memory.
const roundTrip = await measure(() => JSON.parse(JSON.stringify(document)));
console.log(JSON.stringify({ formats, roundTrip, peakMB }));

/** @param {() => unknown} work */
async function measure(work) {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { seconds, processor: (user + system) / 1e6 };
}
