import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { computeWebhookBodySignature } from '@app/webhooks';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver, status } from './outbound.receiver.js';

const FOLDER = new URL('../../apps/console/src/pages/webhooks/snippets/', import.meta.url);
const SECRET = 'whsec_MsPq0yZk';
const BODY = Buffer.from('{"status":"completed","download_url":"…"}\n');

const SIGNATURE = computeWebhookBodySignature(SECRET, BODY);
const OTHER_SIGNATURE = computeWebhookBodySignature('whsec_other', BODY);

/** The signature and that under the previous secret, and whether one of them is right. */
const CASES: [string, string, string, boolean][] = [
  ['the signature', SIGNATURE, '', true],
  ['the signature under the previous secret', OTHER_SIGNATURE, SIGNATURE, true],
  ['a signature under another secret', OTHER_SIGNATURE, '', false],
  ['no signature', '', '', false],
  ['a signature without its prefix', SIGNATURE.slice('sha256='.length), '', false],
  ['a longer signature', `${SIGNATURE}0`, '', false],
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snippets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Tests of a language are skipped where it is not installed. */
const isMissing = (...programs: string[]) =>
  programs.some((program) => spawnSync(program, ['version']).error !== undefined);

const readSnippet = (name: string) => readFile(new URL(name, FOLDER), 'utf8');

/** @returns what a program printed that got the body on its standard input */
async function run(command: string, args: string[], stdin: Buffer = BODY): Promise<string> {
  const program = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: SECRET, GO111MODULE: 'off' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(stdin);
  const [output] = await Promise.all([buffer(program.stdout), once(program, 'close')]);
  return output.toString().trim();
}

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe('the code that the console shows for verifying a webhook', () => {
  it.each(CASES)('TypeScript: %s', async (_, signature, previous, expected) => {
    const source = await readSnippet('verify.ts.txt');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const program = await write(
      'verify.mjs',
      `${outputText}
import { buffer } from 'node:stream/consumers';
const [signature, previous] = process.argv.slice(2);
const headers = { 'x-svc-signature': signature, ...(previous && { 'x-svc-signature-previous': previous }) };
console.log(isAuthentic(await buffer(process.stdin), headers));`,
    );
    expect(await run(process.execPath, [program, signature, previous])).toBe(String(expected));
  });

  it.skipIf(isMissing('python3')).each(CASES)('Python: %s', async (_, signature, previous, expected) => {
    const program = await write(
      'verify.py',
      `${await readSnippet('verify.py.txt')}
import sys
headers = {"X-SVC-Signature": sys.argv[1], "X-SVC-Signature-Previous": sys.argv[2]}
print(is_authentic(sys.stdin.buffer.read(), headers))`,
    );
    const printed = await run('python3', [program, signature, previous]);
    expect(printed).toBe(expected ? 'True' : 'False');
  });

  it.skipIf(isMissing('openssl')).each(CASES.filter(([, , previous]) => previous === ''))(
    'shell: %s',
    async (_, signature, __, expected) => {
      const program = await write(
        'verify.sh',
        `${await readSnippet('verify.sh.txt')}\ncat > body\nif verify body "$1"; then echo yes; else echo no; fi`,
      );
      expect(await run('sh', [program, signature])).toBe(expected ? 'yes' : 'no');
    },
  );

  it.skipIf(isMissing('openssl', 'curl'))('shell: the request to an own receiver is signed', async () => {
    const receiver = await startReceiver(status(204));
    try {
      const program = await write('send.sh', `${await readSnippet('verify.sh.txt')}\nsend_test "$1"`);
      expect(await run('sh', [program, receiver.url])).toMatch(/^HTTP\/1\.1 204 /);
      const [request] = receiver.received;
      expect(request?.headers['x-svc-signature']).toBe(
        computeWebhookBodySignature(SECRET, request?.body ?? BODY),
      );
    } finally {
      await receiver.close();
    }
  });

  it.skipIf(isMissing('go')).each(CASES)('Go: %s', async (_, signature, previous, expected) => {
    const library = (await readSnippet('verify.go.txt')).replace('package webhook', 'package main');
    await write('verify.go', library);
    await write(
      'main.go',
      `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	body, _ := io.ReadAll(os.Stdin)
	headers := http.Header{}
	headers.Set("X-SVC-Signature", os.Args[1])
	headers.Set("X-SVC-Signature-Previous", os.Args[2])
	fmt.Println(IsAuthentic(body, headers))
}
`,
    );
    await promisify(execFile)('go', ['build', '-o', 'verify', 'main.go', 'verify.go'], {
      cwd: folder,
      env: { ...process.env, GO111MODULE: 'off' },
    });
    expect(await run(join(folder, 'verify'), [signature, previous])).toBe(String(expected));
  });
});
