/** Licences that ask for no more than naming their holders: what the service is linked with has one of these. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Python-2.0',
  'Zlib',
];

/** SPDX ids that are allowed, by what becomes of the thing. One more here is a decision: say why in the commit. */
export const ALLOWED = {
  /** Packages that the service is linked with. */
  run: new Set(PERMISSIVE),
  /** Packages that build and test; a change of a file of theirs would have to be published. */
  build: new Set([...PERMISSIVE, 'MPL-2.0']),
  /** Programs that are started beside the service, as the system brings them, and linked with nothing of ours. */
  program: new Set([
    ...PERMISSIVE,
    'Artistic-1.0-Perl',
    'GPL-2.0-or-later',
    'GPL-3.0-or-later',
    'LGPL-2.0-or-later',
    'LGPL-2.1-only',
    'MIT-Festival',
    'NIST-PD',
    'curl',
  ]),
};

/** Licences of models, as the catalogue names them; not every one is known to SPDX. Operators fetch models themselves. */
export const ALLOWED_FOR_MODELS = new Set(['Apache-2.0', 'CC-BY-4.0', 'FunASR Model License 1.1', 'MIT']);
