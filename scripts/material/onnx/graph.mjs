import { ATTRIBUTE, ELEMENT, Model } from './schema.mjs';

const OPSET = 17;
const IR_VERSION = 8;
const ARRAYS = { float: Float32Array, int32: Int32Array, int64: BigInt64Array, bool: Uint8Array };

/** @typedef {'float' | 'int32' | 'int64' | 'bool'} ElementType */
/** @typedef {(number | string)[]} Dims a name stands for a length that is known only at run time */

/** Builds an ONNX graph. Values are identified by generated names. */
export class Graph {
  #nodes = [];
  #initializers = [];
  #inputs = [];
  #outputs = [];
  #count = 0;

  /** @param {string} name @param {Graph} [parent] of the body of a loop, which may use the values of its parent */
  constructor(name, parent) {
    this.name = name;
    this.prefix = parent ? `${parent.prefix}${name}_` : '';
  }

  /** @param {string} name @param {ElementType} type @param {Dims} dims @returns {string} */
  input(name, type, dims) {
    this.#inputs.push(describeValue(name, type, dims));
    return name;
  }

  /** Makes a value an output of the graph. @param {string} name @param {string} value @param {ElementType} type @param {Dims} dims */
  output(name, value, type, dims) {
    this.#nodes.push({ opType: 'Identity', input: [value], output: [name], attribute: [] });
    this.#outputs.push(describeValue(name, type, dims));
  }

  /** @param {Iterable<number>} values @param {number[]} dims @param {ElementType} [type] @returns {string} */
  constant(values, dims, type = 'float') {
    const array = ARRAYS[type].from(values, type === 'int64' ? BigInt : Number);
    if (array.length !== dims.reduce((product, dim) => product * dim, 1))
      throw new RangeError(`${array.length} values do not fill ${dims.join(' x ')}.`);
    const name = this.#nextName('constant');
    const rawData = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    this.#initializers.push({ name, dims, dataType: ELEMENT[type], rawData });
    return name;
  }

  /** An int64 vector, as operators require for axes and shapes. @param {...number} values */
  integers(...values) {
    return this.constant(values, [values.length], 'int64');
  }

  /** @param {number} value @param {ElementType} [type] */
  scalar(value, type = 'float') {
    return this.constant([value], [], type);
  }

  /**
   * @param {string} opType @param {string[]} input
   * @param {Record<string, number | number[] | string | Graph>} [attributes] numbers are integers
   * @returns {string} the first output
   */
  op(opType, input, attributes = {}) {
    return this.ops(opType, input, 1, attributes)[0];
  }

  /** Adds an operator with several outputs. @returns {string[]} */
  ops(opType, input, outputs, attributes = {}) {
    const output = Array.from({ length: outputs }, () => this.#nextName(opType));
    const attribute = Object.entries(attributes).map(([name, value]) => ({
      name,
      ...describeAttribute(value),
    }));
    this.#nodes.push({ opType, input, output, attribute });
    return output;
  }

  /** The graph as a message of the schema. */
  toMessage() {
    return {
      name: this.name,
      node: this.#nodes,
      initializer: this.#initializers,
      input: this.#inputs,
      output: this.#outputs,
    };
  }

  #nextName(stem) {
    this.#count += 1;
    return `${this.prefix}${stem}_${this.#count}`;
  }
}

/**
 * @param {Graph} graph @param {Record<string, string | number>} [metadata]
 * @returns {Buffer} the bytes of an ONNX file
 */
export function encodeModel(graph, metadata = {}) {
  const metadataProps = Object.entries(metadata).map(([key, value]) => ({ key, value: String(value) }));
  const model = {
    irVersion: IR_VERSION,
    producerName: 'zephyr',
    graph: graph.toMessage(),
    opsetImport: [{ domain: '', version: OPSET }],
    metadataProps,
  };
  return Buffer.from(Model.encode(model).finish());
}

function describeValue(name, type, dims) {
  const dim = dims.map((each) => (typeof each === 'number' ? { dimValue: each } : { dimParam: each }));
  return { name, type: { tensorType: { elemType: ELEMENT[type], shape: { dim } } } };
}

function describeAttribute(value) {
  if (value instanceof Graph) return { g: value.toMessage(), type: ATTRIBUTE.graph };
  if (Array.isArray(value)) return { ints: value, type: ATTRIBUTE.ints };
  if (typeof value === 'string') return { s: Buffer.from(value), type: ATTRIBUTE.string };
  return { i: value, type: ATTRIBUTE.int };
}
