import { HANDLERS } from './handlers.mjs';

/**
 * The program in which native models run: a crash of theirs ends this process and nothing else, and ending this process
 * is the only way to interrupt them. It takes one request at a time over its channel, and ends with whoever started it.
 */
process.on('message', ({ kind, request }) => {
  void answerTo(kind, request).then((answer) => process.send(answer));
});

// Killed, since native threads may be at work: an ordered end would wait for them or tear them apart.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function answerTo(kind, request) {
  try {
    return { answer: await HANDLERS[kind](request) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
