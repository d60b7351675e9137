import { encodeModel, Graph } from '../graph.mjs';
import { VOICE_HERTZ } from '../voices.mjs';

const RATE = 16_000;
const WINDOW = 160_000;
const RECEPTIVE_FIELD = 991;
const SHIFT = 270;
/** Squared amplitude (full scale is 1) above which a tone counts as speech. */
const MIN_STRENGTH = 4e-4;
/** The voices of each class: none, one, or two at once. */
const CLASSES = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]];

/** A segmentation model with the interface of pyannote: for each 17 ms it scores the sets of active voices. */
export function makePyannoteSegmentation() {
  const graph = new Graph('pyannote');
  const sound = graph.input('x', 'float', ['windows', 1, 'samples']);
  const strengths = measureToneStrengths(graph, sound);
  const above = graph.op('Sub', [strengths, graph.scalar(MIN_STRENGTH)]);
  const speakingVoices = graph.op('Sign', [above]);
  const table = VOICE_HERTZ.flatMap((_, voice) => CLASSES.map((voices) => (voices.includes(voice) ? 1 : 0)));
  const classes = graph.op('MatMul', [
    speakingVoices,
    graph.constant(table, [VOICE_HERTZ.length, CLASSES.length]),
  ]);
  graph.output('y', classes, 'float', ['windows', 'frames', CLASSES.length]);
  return encodeModel(graph, {
    sample_rate: RATE,
    window_size: WINDOW,
    receptive_field_size: RECEPTIVE_FIELD,
    receptive_field_shift: SHIFT,
    num_speakers: VOICE_HERTZ.length,
    powerset_max_classes: 2,
    num_classes: CLASSES.length,
  });
}

/** Correlates with a windowed sine and cosine of each tone. @returns [windows, frames, voices] */
function measureToneStrengths(graph, sound) {
  const envelope = Array.from(
    { length: RECEPTIVE_FIELD },
    (_, at) => 2 * Math.sin((Math.PI * (at + 0.5)) / RECEPTIVE_FIELD) ** 2,
  );
  const waves = VOICE_HERTZ.flatMap((hertz) =>
    [0, Math.PI / 2].flatMap((phase) =>
      envelope.map(
        (height, at) => (2 * height * Math.sin((2 * Math.PI * hertz * at) / RATE + phase)) / RECEPTIVE_FIELD,
      ),
    ),
  );
  const kernel = graph.constant(waves, [VOICE_HERTZ.length * 2, 1, RECEPTIVE_FIELD]);
  const matches = graph.op('Conv', [sound, kernel], { strides: [SHIFT], kernel_shape: [RECEPTIVE_FIELD] });
  const squares = graph.op('Mul', [matches, matches]);
  const phases = graph.op('Reshape', [squares, graph.integers(0, VOICE_HERTZ.length, 2, -1)]);
  const strengths = graph.op('ReduceSum', [phases, graph.integers(2)], { keepdims: 0 });
  return graph.op('Transpose', [strengths], { perm: [0, 2, 1] });
}
