import { PocketsphinxEngine } from '../../dist/libs/speech/src/index.js';
import { familiesOf } from './cpu.mjs';

/** The engine by itself: the undivided file, one process started for it, the settings that the service uses. */
export class BareEngine {
  /**
   * @param {{ path: string, duration: number }} audio 16 kHz mono WAV; seconds
   * @returns {Promise<{ text: string, seconds: number, cpuSeconds: number }>} time on the clock and processor time of
   *   the engine's process alone: what our code needs around it is taken off
   */
  async hear({ path, duration }) {
    const engine = new PocketsphinxEngine({ maxProcesses: 1 });
    // Looks the program up, which is no part of hearing.
    await engine.check();
    const before = { own: process.cpuUsage(), children: familiesOf(process.pid), at: performance.now() };
    const { signal } = new AbortController();
    const { words } = await engine.transcribe({ path, duration }, { vocabulary: [], signal });
    const wall = (performance.now() - before.at) / 1000;
    const { user, system } = process.cpuUsage(before.own);
    // While it lives: what a program used is lost when it is killed together with the sandbox that would tell.
    const cpuSeconds = secondsOfNew(before.children);
    await engine.close();
    return {
      text: words.map(({ text }) => text).join(' '),
      seconds: wall - (user + system) / 1e6,
      cpuSeconds,
    };
  }
}

/** Of what was started since, not of what runs beside it. @param {ReturnType<typeof familiesOf>} before */
function secondsOfNew(before) {
  const added = [...familiesOf(process.pid)].filter(([pid]) => !before.has(pid));
  return added.reduce((sum, [, { seconds }]) => sum + seconds, 0);
}
