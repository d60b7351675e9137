/** Printed by `build-console.mjs --watch` after each build; `dev.mjs` then restarts the API, which reads the files at its start. */
export const CONSOLE_BUILT = 'The console is built.';
