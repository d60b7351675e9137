/** HEALTHCHECK of the image: asks the program of this container, on whichever of its ports, whether it is alive. */
const { HEALTH_PORT, PORT, PROCESSOR_PORT } = process.env;
const TIMEOUT_MS = 4_000;

// An empty variable counts as unset.
const answers = [HEALTH_PORT || PORT || '3000', PROCESSOR_PORT || '3100'].map(async (port) => {
  const response = await fetch(`http://127.0.0.1:${port}/health/live`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`Port ${port} answers ${response.status}.`);
});
await Promise.any(answers).catch((/** @type {AggregateError} */ { errors }) => {
  console.error(errors.map(({ message, cause }) => cause?.message ?? message).join(' '));
  process.exitCode = 1;
});
