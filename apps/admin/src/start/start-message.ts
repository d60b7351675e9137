import { existsSync, readFileSync } from 'node:fs';
import { readPackageVersion } from '@app/runtime';

export interface DevelopmentAccountFiles {
  keyFile?: string;
  linkFile?: string;
}

/** Contains the paths of key and link and not their content, because the message ends up in logs; a terminal shows the link. */
export function formatStartMessage(
  address: string,
  { keyFile, linkFile }: DevelopmentAccountFiles,
  engine: string | null,
): string {
  const lines = [
    `zephyr ${readPackageVersion()} is ready (Ctrl-C ends it)`,
    `  API        ${address}/api/v1`,
    `  Reference  ${address}/docs`,
    `  Guide      ${address}/docs/guide`,
    ...(keyFile !== undefined && existsSync(keyFile) ? [`  API key    in ${keyFile}`] : []),
    `  Console    ${address}/console/`,
    ...(linkFile !== undefined && existsSync(linkFile) ? [formatLinkLine(linkFile)] : []),
    ...(engine === null ? [] : [`  Engine     ${engine}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function formatLinkLine(linkFile: string): string {
  return process.stdout.isTTY
    ? `  Sign in    ${readFileSync(linkFile, 'utf8').trim()} (works once)`
    : `  Sign in    with the link in ${linkFile}`;
}
