import { encodeModel, Graph } from '../graph.mjs';
import { VOICES } from '../voices.mjs';

const RATE = 16_000;
const WINDOW = 160_000;
const FIELD = 991;
const SHIFT = 270;
/** Strength of a tone (amplitude squared, full scale is 1) from which on its voice speaks. */
const LEAST = 4e-4;
/** Who speaks, for each class: nobody, one, or two at once. */
const CLASSES = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]];

/** Speaker segmentation after pyannote: ten seconds in, for each 17 ms the likeliest set of voices out. */
export function pyannoteSegmentation() {
  const graph = new Graph('pyannote');
  const sound = graph.input('x', 'float', ['windows', 1, 'samples']);
  const strengths = toneStrengths(graph, sound);
  const above = graph.op('Sub', [strengths, graph.scalar(LEAST)]);
  const speaks = graph.op('Sign', [above]);
  const table = VOICES.flatMap((_, voice) => CLASSES.map((voices) => (voices.includes(voice) ? 1 : 0)));
  const classes = graph.op('MatMul', [speaks, graph.constant(table, [VOICES.length, CLASSES.length])]);
  graph.output('y', classes, 'float', ['windows', 'frames', CLASSES.length]);
  return encodeModel(graph, {
    sample_rate: RATE,
    window_size: WINDOW,
    receptive_field_size: FIELD,
    receptive_field_shift: SHIFT,
    num_speakers: VOICES.length,
    powerset_max_classes: 2,
    num_classes: CLASSES.length,
  });
}

/** [windows, frames, voices]: each tone looked for with a wave that swells and fades, in two phases. */
function toneStrengths(graph, sound) {
  const swell = Array.from({ length: FIELD }, (_, at) => 2 * Math.sin((Math.PI * (at + 0.5)) / FIELD) ** 2);
  const waves = VOICES.flatMap((hertz) =>
    [0, Math.PI / 2].flatMap((phase) =>
      swell.map((height, at) => (2 * height * Math.sin((2 * Math.PI * hertz * at) / RATE + phase)) / FIELD),
    ),
  );
  const kernel = graph.constant(waves, [VOICES.length * 2, 1, FIELD]);
  const matches = graph.op('Conv', [sound, kernel], { strides: [SHIFT], kernel_shape: [FIELD] });
  const squares = graph.op('Mul', [matches, matches]);
  const phases = graph.op('Reshape', [squares, graph.integers(0, VOICES.length, 2, -1)]);
  const strengths = graph.op('ReduceSum', [phases, graph.integers(2)], { keepdims: 0 });
  return graph.op('Transpose', [strengths], { perm: [0, 2, 1] });
}
