import 'reflect-metadata';
import { CommandFactory } from 'nest-commander';
import { afterEach, expect, it, vi } from 'vitest';
import { AdminModule } from './admin.module.js';

const { argv } = process;
afterEach(() => {
  process.argv = argv;
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

/** @returns what the program writes to stderr, and the messages of its errors */
async function runProgram(...words: string[]): Promise<string> {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  // Usage errors of a command end the process, which runs other files of tests too.
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  process.argv = ['node', 'zephyr', ...words];
  const app = await CommandFactory.createWithoutRunning(AdminModule, {
    logger: false,
    serviceErrorHandler: ({ message }) => void written.push(message),
  });
  await CommandFactory.runApplication(app);
  await app.close();
  return written.join('');
}

it.each([
  [['accounts', 'frob'], "error: unknown command 'frob'"],
  [['accounts', 'creat', 'name'], "error: unknown command 'creat'\n(Did you mean create?)"],
  [['webhooks', 'secret', 'rotat'], "error: unknown command 'rotat'\n(Did you mean rotate?)"],
])('%j names the unknown command of its group', async (words, message) => {
  expect(await runProgram(...words)).toBe(message);
});

it.each([
  [
    ['accounts', 'create', 'Example', 'Inc'],
    "error: too many arguments for 'create'. Expected 1 argument but got 2.\n",
  ],
  [['doctor', 'now'], "error: too many arguments for 'doctor'. Expected 0 arguments but got 1.\n"],
])('%j is refused instead of ignoring the last word', async (words, message) => {
  expect(await runProgram(...words)).toContain(message);
});

it('a group alone prints its help', async () => {
  expect(await runProgram('accounts')).toMatch(/^Usage: .* accounts /);
  expect(process.exitCode).toBe(1);
});
