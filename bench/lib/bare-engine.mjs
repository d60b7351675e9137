import { PocketsphinxEngine } from '../../dist/libs/speech/src/index.js';
import { readChildTrees } from './process-times.mjs';

/** The engine alone: one process for the whole file, with the settings of the service. */
export class BareEngine {
  /**
   * @param {{ path: string, duration: number }} audio 16 kHz mono WAV; seconds
   * @returns {Promise<{ text: string, seconds: number, cpuSeconds: number }>} time on the clock and processor time of
   *   the engine's process alone: what our code needs around it is taken off
   */
  async hear({ path, duration }) {
    const engine = new PocketsphinxEngine({ maxProcesses: 1 });
    // Resolves the program, which is not part of the measurement.
    await engine.check();
    const before = { own: process.cpuUsage(), children: readChildTrees(process.pid), at: performance.now() };
    const { signal } = new AbortController();
    const { words } = await engine.transcribe({ path, duration }, { vocabulary: [], signal });
    const wall = (performance.now() - before.at) / 1000;
    const { user, system } = process.cpuUsage(before.own);
    // Read while it runs: the CPU time of a program is lost when it is killed with its sandbox.
    const cpuSeconds = secondsOfNew(before.children);
    await engine.close();
    return {
      text: words.map(({ text }) => text).join(' '),
      seconds: wall - (user + system) / 1e6,
      cpuSeconds,
    };
  }
}

/** Only of processes that were started since. @param {ReturnType<typeof readChildTrees>} before */
function secondsOfNew(before) {
  const added = [...readChildTrees(process.pid)].filter(([pid]) => !before.has(pid));
  return added.reduce((sum, [, { seconds }]) => sum + seconds, 0);
}
