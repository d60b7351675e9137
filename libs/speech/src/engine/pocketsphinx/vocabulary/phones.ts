/** ARPAbet phones of the acoustic model. */
const PHONES =
  'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(
    ' ',
  );
const KNOWN_PHONES: ReadonlySet<string> = new Set(PHONES);

export const LETTER_PRONUNCIATIONS: Readonly<Record<string, string>> = {
  a: 'EY',
  b: 'B IY',
  c: 'S IY',
  d: 'D IY',
  e: 'IY',
  f: 'EH F',
  g: 'JH IY',
  h: 'EY CH',
  i: 'AY',
  j: 'JH EY',
  k: 'K EY',
  l: 'EH L',
  m: 'EH M',
  n: 'EH N',
  o: 'OW',
  p: 'P IY',
  q: 'K Y UW',
  r: 'AA R',
  s: 'EH S',
  t: 'T IY',
  u: 'Y UW',
  v: 'V IY',
  w: 'D AH B AH L Y UW',
  x: 'EH K S',
  y: 'W AY',
  z: 'Z IY',
};

/** flite phones that differ from ARPAbet. */
const FROM_FLITE: Readonly<Record<string, string>> = {
  ax: 'AH',
  axr: 'ER',
  el: 'AH L',
  em: 'AH M',
  en: 'AH N',
};

/** Converts flite output (`k ax b er n iy t s`) to ARPAbet; null for an unknown phone. */
export function parseFlitePhones(line: string): string | null {
  const names = line.trim().split(/\s+/);
  return joinKnownPhones(
    names.flatMap((name) => (name === 'pau' ? [] : [FROM_FLITE[name] ?? name.toUpperCase()])),
  );
}

/** espeak-ng phones of American English without stress: vowels, then consonants. */
const FROM_ESPEAK: ReadonlyMap<string, string> = parseMapping(`
  @:AH @2:AH @5:AH @-:AH @L:AH+L @r:ER 3:ER 3::ER 0:AA 0#:AA A::AA A@:AA+R A#:AA O~:AO+N A~:AA+N
  a:AE aa:AE a#:AH aI:AY aI@:AY+AH aI3:AY+ER aU:AW aU@:AW+ER E:EH E2:EH e@:EH+R eI:EY
  I:IH I2:IH I#:IH i@:IY+AH i@3:IH+R i:IY i::IY O::AO O:AO O2:AO O@:AO+R o@:AO+R OI:OY
  oU:OW oU#:OW U:UH U@:UH+R u::UW u:UW V:AH
  b:B d:D f:F g:G h:HH j:Y k:K l:L l-:AH+L l#:L m:M n:N n-:AH+N p:P r:R r-:R s:S t:T t#:T t2:T ?:T
  v:V w:W z:Z D:DH N:NG S:SH T:TH Z:ZH tS:CH dZ:JH x:K ;:
`);

function parseMapping(table: string): Map<string, string> {
  const lines = table.trim().split(/\s+/);
  return new Map(
    lines.map((pair) => {
      const colon = pair.lastIndexOf(':');
      return [pair.slice(0, colon), pair.slice(colon + 1).replace('+', ' ')];
    }),
  );
}

/** Converts espeak-ng output (`k_j_'u:_b_3_n_,i:_t_s`) to ARPAbet; null for an unknown phone. */
export function parseEspeakPhones(line: string): string | null {
  const names = line
    .trim()
    .split(/[_\s]+/)
    .map((name) => name.replace(/^[',=%|]+/, ''))
    .filter((name) => name !== '');
  return joinKnownPhones(names.map((name) => FROM_ESPEAK.get(name) ?? '?'));
}

function joinKnownPhones(sounds: readonly string[]): string | null {
  const all = sounds.flatMap((sound) => sound.split(' ').filter((one) => one !== ''));
  return all.length > 0 && all.every((sound) => KNOWN_PHONES.has(sound)) ? all.join(' ') : null;
}
