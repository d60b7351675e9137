/**
 * Formats a transcript for a terminal.
 *
 * @param {{ segments: { start: number, text: string, speaker: string | null }[], duration: number,
 *   language: string | null, speakers: unknown[], warnings: { message: string }[] }} transcript of output type json
 * @param {number} columns width of the terminal
 * @returns {string[]} lines
 */
export function formatTranscript({ segments, duration, language, speakers, warnings }, columns) {
  const summary = [`${formatTime(duration)} of audio`, ...(language ? [`language ${language}`] : [])];
  if (speakers.length > 0) summary.push(`${speakers.length} speaker${speakers.length > 1 ? 's' : ''}`);
  const lines = [summary.join(', '), ''];
  let speaker = null;
  for (const segment of segments) {
    if (segment.speaker && segment.speaker !== speaker) lines.push(`${segment.speaker}`);
    speaker = segment.speaker;
    const time = `  ${formatTime(segment.start)}  `;
    const text = wrapText(segment.text, Math.max(20, columns - time.length));
    text.forEach((line, index) => lines.push((index === 0 ? time : ' '.repeat(time.length)) + line));
  }
  if (segments.length === 0) lines.push('  (no speech)');
  for (const { message } of warnings) lines.push('', `Warning: ${message}`);
  return lines;
}

/** @param {number} seconds @returns {string} `m:ss`, or `h:mm:ss` */
export function formatTime(seconds) {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const pad = (value) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

/** @param {{ completed: number, total: number, step: string }} progress */
export function formatProgress({ completed, total, step }) {
  const width = 24;
  const done = total > 0 ? Math.min(width, Math.round((completed / total) * width)) : 0;
  return `[${'#'.repeat(done)}${'.'.repeat(width - done)}] ${completed}/${total} ${step}`;
}

/** @param {string} text @param {number} width */
function wrapText(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return line ? [...lines, line] : lines;
}
