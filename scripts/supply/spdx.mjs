/**
 * Whether the terms of an SPDX expression can be met with these licences: one side of an OR, both of an AND.
 *
 * @param {string} expression such as `(MIT OR GPL-3.0-or-later)`
 * @param {ReadonlySet<string>} allowed ids of licences; one WITH an exception stands there as a whole
 * @throws Error when it is no such expression
 */
export function canMeet(expression, allowed) {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  const take = (word) => words[0] === word && words.shift() !== undefined;
  const malformed = () => new Error(`“${expression}” is no SPDX expression`);

  function either() {
    let met = both();
    while (take('OR')) met = both() || met;
    return met;
  }
  function both() {
    let met = one();
    while (take('AND')) met = one() && met;
    return met;
  }
  function one() {
    if (take('(')) {
      const met = either();
      if (!take(')')) throw malformed();
      return met;
    }
    const licence = name();
    return allowed.has(take('WITH') ? `${licence} WITH ${name()}` : licence);
  }
  function name() {
    const word = words.shift();
    if (word === undefined || !/^[A-Za-z0-9.+-]+$/.test(word) || /^(AND|OR|WITH)$/.test(word))
      throw malformed();
    return word;
  }
  const met = either();
  if (words.length > 0) throw malformed();
  return met;
}
