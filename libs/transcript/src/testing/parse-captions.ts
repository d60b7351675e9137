/** The part of `media-captions` used here: its own declarations do not resolve under nodenext. */
interface Parser {
  parseText(
    text: string,
    options: { type: 'srt' | 'vtt'; strict: boolean; errors: boolean },
  ): Promise<{ cues: ParsedCue[]; errors: unknown[] }>;
  tokenizeVTTCue(cue: ParsedCue): Node[];
}

interface ParsedCue {
  id: string;
  startTime: number;
  endTime: number;
}

type Node = { type: 'text'; data: string } | { type: string; voice?: string; children: Node[] };

/** A cue as a viewer would see it: markup read, entities resolved. Seconds. */
export interface ParsedCaptionCue {
  id: string;
  startTime: number;
  endTime: number;
  text: string;
  voice: string | null;
}

const loaded: unknown = await import('media-captions');
const parser = loaded as Parser;

/** Reads a subtitle file with a parser that is not ours, strictly. */
export async function parseCaptions(
  file: string,
  type: 'srt' | 'vtt',
): Promise<{ cues: ParsedCaptionCue[]; errors: unknown[] }> {
  const { cues, errors } = await parser.parseText(file, { type, strict: true, errors: true });
  return { cues: cues.map(show), errors };
}

function show(cue: ParsedCue): ParsedCaptionCue {
  const nodes = parser.tokenizeVTTCue(cue);
  const [first] = nodes;
  return {
    id: cue.id,
    startTime: cue.startTime,
    endTime: cue.endTime,
    text: nodes.map(read).join(''),
    voice: first && 'voice' in first ? (first.voice ?? null) : null,
  };
}

function read(node: Node): string {
  return 'data' in node ? node.data : node.children.map(read).join('');
}
