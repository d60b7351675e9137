import protobuf from 'protobufjs';

/** The part of the ONNX file format that the tiny models need: message -> field -> [number, type, repeated]. */
const MESSAGES = {
  Model: {
    irVersion: [1, 'int64'],
    producerName: [2, 'string'],
    graph: [7, 'Graph'],
    opsetImport: [8, 'OperatorSet', true],
    metadataProps: [14, 'Entry', true],
  },
  OperatorSet: { domain: [1, 'string'], version: [2, 'int64'] },
  Entry: { key: [1, 'string'], value: [2, 'string'] },
  Graph: {
    node: [1, 'Node', true],
    name: [2, 'string'],
    initializer: [5, 'Tensor', true],
    input: [11, 'Value', true],
    output: [12, 'Value', true],
  },
  Node: {
    input: [1, 'string', true],
    output: [2, 'string', true],
    opType: [4, 'string'],
    attribute: [5, 'Attribute', true],
  },
  Attribute: {
    name: [1, 'string'],
    f: [2, 'float'],
    i: [3, 'int64'],
    s: [4, 'bytes'],
    g: [6, 'Graph'],
    ints: [8, 'int64', true],
    type: [20, 'int32'],
  },
  Tensor: {
    dims: [1, 'int64', true],
    dataType: [2, 'int32'],
    name: [8, 'string'],
    rawData: [9, 'bytes'],
  },
  Value: { name: [1, 'string'], type: [2, 'Type'] },
  Type: { tensorType: [1, 'TensorType'] },
  TensorType: { elemType: [1, 'int32'], shape: [2, 'Shape'] },
  Shape: { dim: [1, 'Dimension', true] },
  Dimension: { dimValue: [1, 'int64'], dimParam: [2, 'string'] },
};

/** Type codes of elements and attributes in the format. */
export const ELEMENT = { float: 1, int32: 6, int64: 7, bool: 9 };
export const ATTRIBUTE = { float: 1, int: 2, string: 3, graph: 5, ints: 7 };

const nested = Object.fromEntries(
  Object.entries(MESSAGES).map(([message, fields]) => [
    message,
    {
      fields: Object.fromEntries(
        Object.entries(fields).map(([name, [id, type, repeated]]) => [
          name,
          { id, type, ...(repeated ? { rule: 'repeated' } : {}) },
        ]),
      ),
    },
  ]),
);

export const Model = protobuf.Root.fromJSON({ nested }).lookupType('Model');
