import fc from 'fast-check';
import type { Description, Schema } from './described.js';

/** Ids of existing resources. */
export interface ResourcePool {
  ids: string[];
}

/** Rejected without a DNS lookup, so that no job ever has audio or a receiver. */
const REJECTED_URLS = [
  'http://127.0.0.1/a.mp3',
  'http://10.1.2.3/a.mp3',
  'http://[::1]/a',
  'https://192.168.0.1:8443/x?y=1',
  'http://169.254.169.254/latest/meta-data',
  'http://0x7f000001/',
  'ftp://10.0.0.1/a',
  'http://',
  'not a URL',
];

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udfff',
  'a\u0000b',
  '\u202e',
  '\ufeff',
  '👩‍👩‍👧',
  "'; --",
  '%00',
  '../..',
  'null',
];

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 300 }),
  fc.integer({ min: 1_000, max: 5_000 }).map((length) => 'x'.repeat(length)),
);

const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e308, -1e308, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Any JSON value, including keys with a special meaning. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 3, arbitrary: anyNumber },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      [[]],
      [null],
      { length: 1e9 },
      'true',
      '1',
    ),
  },
  { weight: 1, arbitrary: fc.array(anyNumber, { maxLength: 5 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor', 'toString')),
      anyText,
      { maxKeys: 4 },
    ),
  },
);

/** Values that mostly match a schema and contain existing ids. */
export class SchemaArbitraries {
  constructor(
    private readonly description: Description,
    private readonly pool: ResourcePool,
  ) {}

  of(part: Schema): fc.Arbitrary<unknown> {
    const schema = this.description.resolve(part);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.oneOf) return fc.oneof(...schema.oneOf.map((alternative) => this.of(alternative)));
    if (schema.allOf) return this.mergeAll(schema.allOf);
    if (schema.properties) return this.object(schema);
    const [type, ...others] = [schema.type ?? []].flat();
    const main = this.primitive(type, schema);
    return others.length === 0
      ? main
      : fc.oneof({ weight: 5, arbitrary: main }, { weight: 1, arbitrary: fc.constant(null) });
  }

  private primitive(
    type: string | undefined,
    { format, items, minimum = 0, maximum = 1e6 }: Schema,
  ): fc.Arbitrary<unknown> {
    if (type === 'boolean') return fc.boolean();
    if (type === 'null') return fc.constant(null);
    if (type === 'integer') return this.integer(minimum, maximum);
    if (type === 'array') return fc.array(this.of(items ?? {}), { maxLength: 4 });
    if (type === 'object') return fc.constant({});
    if (format === 'uuid')
      return fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...this.pool.ids) },
        { weight: 1, arbitrary: fc.uuid() },
      );
    if (format === 'uri') return fc.constantFrom(...REJECTED_URLS);
    if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    return fc.oneof(fc.stringMatching(/^[\w", -]{1,40}$/), anyText);
  }

  /** Mostly small numbers, because signing ten thousand parts takes long. */
  private integer(min: number, max: number): fc.Arbitrary<number> {
    const usual = fc.integer({ min, max: Math.min(max, 100_000_000) });
    return fc.oneof(
      { weight: 15, arbitrary: usual },
      { weight: 1, arbitrary: fc.constantFrom(min, max, 5 * 2 ** 30, 6e9, 2e10) },
    );
  }

  private mergeAll(parts: Schema[]): fc.Arbitrary<unknown> {
    return fc
      .tuple(...parts.map((part) => this.of(part)))
      .map((generated) => Object.assign({}, ...(generated as object[])) as object);
  }

  private object({ properties = {}, required = [] }: Schema): fc.Arbitrary<object> {
    const fields = Object.entries(properties).map(([name, part]) => [name, this.of(part)] as const);
    // Optional fields are rare: each makes a rejection more likely.
    const chosen = fields.map(([name, value]) =>
      required.includes(name) ? value : fc.option(value, { nil: undefined, freq: 1 }),
    );
    return fc.tuple(...chosen, fc.infiniteStream(fc.nat(3))).map((generated) => {
      const [omissions, values] = [generated.at(-1) as Iterator<number>, generated.slice(0, -1)];
      const candidates = fields.map(([name], index) => [name, values[index]] as const);
      const included = candidates.filter(
        ([name, value]) => value !== undefined && (required.includes(name) || omissions.next().value === 0),
      );
      return Object.fromEntries(included) as object;
    });
  }
}
