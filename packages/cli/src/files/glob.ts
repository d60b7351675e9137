import { sep } from 'node:path';

/** Whether a text is a pattern. Shells that expand patterns themselves leave those that match nothing. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

/** A path with `/` between its folders, as patterns have it. @param separator of the system; elsewhere a backslash is part of a name */
export function normalizeGlobSeparators(path: string, separator: string = sep): string {
  return path.split(separator).join('/');
}

/** The folder under which every match is, such as `talks` of `talks/**` + `/*.mp3`. */
export function getGlobBase(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex(isGlob);
  const base = parts.slice(0, first).join('/');
  // Without the slash, the current folder of the drive.
  if (/^[a-z]:$/i.test(base)) return `${base}/`;
  return base || (pattern.startsWith('/') ? '/' : '.');
}

/** Supports `*`, `?`, `[a-z]`, `{a,b}` and `**` as a whole folder name. @throws SyntaxError for a range that runs backwards */
export function globToRegExp(pattern: string): RegExp {
  return new RegExp(`^${toSource(pattern)}$`);
}

/** Matches the folders below which there may be a match, besides those above the first one that is a pattern. */
export function globToFolderRegExp(pattern: string): RegExp {
  const source = splitOutsideBraces(pattern).reduceRight<string | undefined>((below, part, index, parts) => {
    if (part.includes('**') || part.includes('/')) return '.*';
    if (index === parts.length - 1) return undefined;
    return toSource(part) + (below === undefined ? '' : `(?:/${below})?`);
  }, undefined);
  return new RegExp(`^${source ?? ''}$`);
}

function splitOutsideBraces(pattern: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of pattern) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character === '/' && depth <= 0) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  // As `toSource`, which takes braces that are not closed as they are.
  return depth > 0 ? pattern.split('/') : parts;
}

function toSource(pattern: string): string {
  let [source, depth] = ['', 0];
  for (let index = 0; index < pattern.length; index++) {
    const rest = pattern.slice(index);
    const set = /^\[[!^]?\]?[^\]]*\]/.exec(rest)?.[0];
    if (rest.startsWith('**/')) {
      source += '(?:[^/]+/)*';
      index += 2;
    } else if (rest.startsWith('**')) {
      source += '.*';
      index++;
    } else if (rest.startsWith('*')) source += '[^/]*';
    else if (rest.startsWith('?')) source += '[^/]';
    else if (set !== undefined) {
      source += `[${/^\[[!^]/.test(set) ? '^' : ''}${set
        .replace(/^\[[!^]?/, '')
        .slice(0, -1)
        .replaceAll('\\', '\\\\')}]`;
      index += set.length - 1;
    } else if (rest.startsWith('{')) {
      source += '(?:';
      depth++;
    } else if (rest.startsWith('}') && depth > 0) {
      source += ')';
      depth--;
    } else if (rest.startsWith(',') && depth > 0) source += '|';
    else source += (pattern[index] as string).replace(/[\\^$.|+()[\]{}]/, '\\$&');
  }
  if (depth > 0) return toSource(pattern.replaceAll('{', '[{]'));
  return source;
}
