import { findJsonLines, type JsonLine } from '../../support/json-lines.js';
import { until } from './until.js';

/** Waits for a line with these fields. @returns the first one */
export function waitForLogLine(readLog: () => Promise<string>, fields: JsonLine): Promise<JsonLine> {
  return until(
    `the log has ${JSON.stringify(fields)}`,
    async () => findJsonLines(await readLog(), fields)[0],
  );
}
