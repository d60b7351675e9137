/** Preloaded into a program: on the message `memory` it collects garbage and replies with its memory usage. */
process.on('message', (message) => {
  if (message !== 'memory') return;
  for (let pass = 0; pass < 3; pass += 1) global.gc();
  process.send(process.memoryUsage());
});
