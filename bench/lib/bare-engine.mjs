import { PocketsphinxEngine } from '../../dist/libs/speech/src/index.js';
import { readChildTrees } from './process-times.mjs';

/** The engine without the service: one process for the whole file, with the settings of the service. */
export class BareEngine {
  /**
   * @param {{ path: string, duration: number }} audio 16 kHz mono WAV; seconds
   * @returns {Promise<{ text: string, seconds: number, cpuSeconds: number }>} elapsed and CPU
   *   time of the engine process, without the CPU time of this process
   */
  async transcribe({ path, duration }) {
    const engine = new PocketsphinxEngine({ maxProcesses: 1 });
    // Locates the program, which is not measured.
    await engine.check();
    const before = { own: process.cpuUsage(), children: readChildTrees(process.pid), at: performance.now() };
    const { signal } = new AbortController();
    const { words } = await engine.transcribe({ path, duration }, { vocabulary: [], signal });
    const elapsedSeconds = (performance.now() - before.at) / 1000;
    const { user, system } = process.cpuUsage(before.own);
    // Read before the end: the CPU time of a program is lost when it is killed with its sandbox.
    const cpuSeconds = sumSecondsOfNewChildren(before.children);
    await engine.close();
    return {
      text: words.map(({ text }) => text).join(' '),
      seconds: elapsedSeconds - (user + system) / 1e6,
      cpuSeconds,
    };
  }
}

/** @param {ReturnType<typeof readChildTrees>} before */
function sumSecondsOfNewChildren(before) {
  const added = [...readChildTrees(process.pid)].filter(([pid]) => !before.has(pid));
  return added.reduce((sum, [, { seconds }]) => sum + seconds, 0);
}
