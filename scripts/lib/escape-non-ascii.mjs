/**
 * Replaces each character of a script that is not ASCII by its escape, which means the same in strings, templates, regular
 * expressions and names (in comments the meaning does not matter). Only `String.raw` sees the difference.
 *
 * @param {string} code @returns {string}
 */
export function escapeNonAscii(code) {
  // A character may itself be escaped, such as a quote in a string: "\“".
  return code.replace(/(\\*)([\u0080-\uFFFF])/g, (_, backslashes, character) => {
    const others = backslashes.slice(backslashes.length % 2);
    return `${others}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
