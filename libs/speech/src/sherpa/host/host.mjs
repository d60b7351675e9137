import { readFileSync } from 'node:fs';
import { HANDLERS } from './handlers.mjs';

/**
 * Runs native models in a process of its own: a crash ends only this process, and killing it is the only way to abort
 * them. Handles one request at a time over IPC and exits with its parent.
 */
process.on('message', ({ kind, request }) => {
  void respond(kind, request).then((response) =>
    process.send({ ...response, peakMemoryBytes: readPeakMemoryBytes() }),
  );
});

// SIGKILL, because a regular exit would wait for native threads or tear them down while they run.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function respond(kind, request) {
  try {
    return { answer: await HANDLERS[kind](request) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** On Linux, `maxRSS` may be that of the process that started this one. */
function readPeakMemoryBytes() {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kibibytes !== undefined) return Number(kibibytes) * 1024;
  } catch {
    // Other systems.
  }
  return process.resourceUsage().maxRSS * 1024;
}
